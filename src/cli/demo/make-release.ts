import { join } from "node:path"
import { type ReadResult, type RunContext, release, reportRelease } from "../../index.ts"
import type { ShownRelease } from "../../study/demo/demo-page.ts"
import type { ShownMethod } from "./shown-methods.ts"

/** Makes a release as `anonymize` does, then verifies, attacks and measures it and writes its report. */
export async function makeRelease(
  { choice, flags, idea }: ShownMethod,
  { folder, input }: { folder: string; input: ReadResult },
  context: RunContext,
): Promise<ShownRelease> {
  const name = `releases/${choice.method}`
  const at = (path: string) => join(folder, path)
  const audit = `${name}.audit`
  const { manifest } = await release(input, choice, { folder: at(name), audit: at(audit) }, context)
  const { verdicts, attacks, measures } = await reportRelease(
    at(name),
    {
      against: input,
      audit: at(audit),
      truth: at("truth"),
      seenFrom: folder,
      madeBy: `queryveil anonymize ${choice.method} log.tsv ${flags} -o ${name} --audit ${audit}`,
    },
    context,
  )
  const { promise, attacks: attacked } = verdicts
  return { folder: name, manifest, promise, attacked, attacks, measures, idea, report: `${name}.report.html` }
}
