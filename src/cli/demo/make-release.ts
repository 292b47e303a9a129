import { join } from "node:path"
import { attack } from "../../attacks/registry.ts"
import { createContext, type RunContext } from "../../kernels/context.ts"
import type { ReadResult } from "../../log/parse-sources.ts"
import { measure } from "../../measures/registry.ts"
import { anonymize } from "../../release/anonymize.ts"
import { writeFileWhole } from "../../release/output.ts"
import { openAudit } from "../../release/read-audit.ts"
import { readRelease } from "../../release/read-release.ts"
import type { Truth } from "../../release/truth.ts"
import { writeRelease } from "../../release/write-release.ts"
import type { ShownRelease } from "../../study/demo-page.ts"
import { reportPage } from "../../study/report-page.ts"
import { verify } from "../../verify/registry.ts"
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
  const draft = await anonymize(input.log, { ...parameters, method }, context)
  await writeRelease(draft, at(""), { input, audit: at(".audit") }, context)
  const release = await readRelease(at(""))
  const subject = { release, log: input.log, truth, audit: await openAudit(at(".audit")) }
  // Attackers and measures draw from a seed, so that their numbers can be had again.
  const seeded = createContext({ seed: 1, signal: context.signal, workers: context.workers, report: context.report })
  const checks = await verify(subject, seeded)
  const attacks = await attack(subject, {}, seeded)
  const measures = await measure(subject, {}, seeded)
  const created = new Date(context.now())
  const { manifest } = release
  const content = { folder: name, manifest, checks, attacks, measures, against: true, created }
  await writeFileWhole(at(".report.html"), reportPage(content), { mode: 0o644 })
  const command = commandOf(shown, method)
  return { command, idea, manifest, checks, attacks, measures, folder: name, report: `${name}.report.html` }
}
