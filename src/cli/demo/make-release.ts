import { join } from "node:path"
import { writeFileWhole } from "../../files/write-file.ts"
import type { RunContext } from "../../kernels/context.ts"
import type { ReadResult } from "../../log/parse-sources.ts"
import { usualSeed } from "../../probes/run-probes.ts"
import { makeDraft } from "../../release/anonymize.ts"
import { openAudit } from "../../release/read-audit.ts"
import { readRelease } from "../../release/read-release.ts"
import type { Truth } from "../../release/truth.ts"
import { writeRelease } from "../../release/write-release.ts"
import type { ShownRelease } from "../../study/demo/demo-page.ts"
import { composeReport } from "../../study/report/compose-report.ts"
import { reportPage } from "../../study/report/report-page.ts"
import { commandOf, type ShownMethod } from "./shown-methods.ts"

/** Makes a release as `anonymize` would, then verifies, attacks and measures it and writes its report. */
export async function makeRelease(
  shown: ShownMethod,
  { folder, input, truth }: { folder: string; input: ReadResult; truth: Truth },
  context: RunContext,
): Promise<ShownRelease> {
  const { method, parameters, idea } = shown
  const name = `releases/${method}`
  const at = (ending: string) => join(folder, `${name}${ending}`)
  const draft = await makeDraft(input.log, { ...parameters, method }, context)
  await writeRelease(draft, at(""), { input, audit: at(".audit") }, context)
  const release = await readRelease(at(""))
  const subject = { release, log: input.log, truth, intake: input.intake, audit: await openAudit(at(".audit")) }
  const [checking, probing] = [`${name} --against log.tsv --audit ${name}.audit`, `--truth truth --seed ${usualSeed}`]
  const commands = [
    `${commandOf(shown, name)} --audit ${name}.audit`,
    `queryveil verify ${checking}`,
    ...["attack", "measure", "report"].map((verb) => `queryveil ${verb} ${checking} ${probing}`),
  ]
  const content = await composeReport(subject, { folder: name, seed: usualSeed, commands }, context)
  await writeFileWhole(at(".report.html"), reportPage(content), { mode: 0o644 })
  return { ...content, idea, report: `${name}.report.html` }
}
