import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import type { Command } from "commander"
import { Type } from "typebox"
import { Value } from "typebox/value"
import { attack } from "../../attacks/registry.ts"
import { readLog } from "../../log/read-log.ts"
import { anonymize } from "../../release/anonymize.ts"
import { reserveFolder, writeError, writeFileWhole } from "../../release/output.ts"
import { openDraft, readRelease } from "../../release/read-release.ts"
import { readTruth } from "../../release/truth.ts"
import { writeRelease } from "../../release/write-release.ts"
import { writeSynth } from "../../release/write-synth.ts"
import { affinityStudy } from "../../study/affinity-study.ts"
import { demoPage } from "../../study/demo-page.ts"
import { equalityStudy } from "../../study/equality-study.ts"
import { composeReport } from "../../study/report/compose-report.ts"
import { reportPage } from "../../study/report/report-page.ts"
import { runStudy } from "../../study/run-study.ts"
import type { Study } from "../../study/study.ts"
import { swapStudy } from "../../study/swap-study.ts"
import { outputFlag, usualSeed } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import type { Session } from "../session.ts"

const mark = "demo.json"
const made = { rows: 200_000, users: 4000, seed: 2006, secrets: 0.001 }
const k = 10

/** The studies that are shown, each over a grid that takes seconds. */
const studied: readonly (readonly [Study, object])[] = [
  [equalityStudy, { k: [1, 2, 3, 5, 10, 20, 50, 100, 200, 500] }],
  [affinityStudy, { k: [1, 2, 3, 5, 10, 20, 50, 100, 200, 500] }],
  [swapStudy, { k: [3, 10], depth: [1, 3, 6] }],
]

/** `demo`: a made-up log, from anonymising to a signed report, in one folder of pages. */
export function demoCommand(): Command {
  return defineCommand({
    name: "demo",
    summary: "make up a log, release it, verify, attack, measure and study the release, and show it on a page",
    flags: Type.Object({ output: outputFlag("dir", "folder of the demo (default: demo)") }),
    run: (session, flags) => runDemo(session, flags.output ?? "demo"),
  })
}

async function runDemo(session: Session, folder: string): Promise<number> {
  const { context } = session
  await reserveFolder(folder, { mark, force: true })
  try {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
  } catch (error) {
    throw writeError(folder, error)
  }
  const at = (name: string) => join(folder, name)
  await writeFileWhole(at(mark), `${JSON.stringify({ made, k }, null, 2)}\n`, { mode: 0o644 })

  session.say(`Making up a log of ${made.rows.toLocaleString("en")} rows …`)
  await writeSynth(at("log.tsv"), { ...made, truth: at("truth") }, context)
  const input = await readLog(at("log.tsv"), {}, context)
  const truth = await readTruth(at("truth"))

  session.say(`Releasing the queries that at least ${k} users issued …`)
  const draft = await anonymize(input.log, { method: "equality", k }, context)
  await writeRelease(draft, at("release"), { input, audit: at("audit") }, context)

  session.say("Verifying, attacking and measuring the release …")
  const release = await readRelease(at("release"))
  const subject = { release, log: input.log, truth }
  const report = { ...subject, intake: input.intake }
  const content = await composeReport(report, { folder: at("release"), seed: usualSeed }, context)
  const asItIs = await anonymize(input.log, { method: "equality", k: 1, preset: "paper" }, context)
  const attacksOnLog = await attack({ ...subject, release: openDraft(asItIs) }, {}, context)
  await writeFileWhole(at("report.html"), reportPage(content), { mode: 0o644 })

  for (const [study, grid] of studied) {
    session.say(`Studying ${study.name} …`)
    const options = Value.Parse(study.options, Value.Default(study.options, { ...grid }))
    await runStudy(at(`study-${study.name}`), { study, options, seed: 1, input: "demo", subject }, context)
  }
  await writeFileWhole(at("index.html"), demoPage({ made, k, log: input.log, content, attacksOnLog }), { mode: 0o644 })
  session.answer({ folder, index: at("index.html") })
  session.say(`\nOpen ${at("index.html")}`)
  return 0
}
