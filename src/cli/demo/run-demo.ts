import { mkdir, readdir, rm, rmdir } from "node:fs/promises"
import { join } from "node:path"
import { Value } from "#typebox"
import { attack } from "../../attacks/registry.ts"
import { reserveFolder } from "../../files/reserve.ts"
import { writeError } from "../../files/write-error.ts"
import { writeFileWhole } from "../../files/write-file.ts"
import { createContext, type RunContext } from "../../kernels/context.ts"
import { inspectLog } from "../../log/inspect-log.ts"
import type { ReadResult } from "../../log/parse-sources.ts"
import { readLog } from "../../log/read-log.ts"
import type { ProbeOutcome } from "../../probes/run-probes.ts"
import { makeDraft } from "../../release/anonymize.ts"
import { fitTruth } from "../../release/fit-truth.ts"
import { openDraftAudit } from "../../release/read-audit.ts"
import { openDraft } from "../../release/read-release.ts"
import { readTruth, type Truth } from "../../release/truth.ts"
import { refusePrivate } from "../../release/write-release.ts"
import { writeSynth } from "../../release/write-synth.ts"
import { affinityStudy } from "../../study/affinity/affinity-study.ts"
import { demoPage, type ShownRelease } from "../../study/demo/demo-page.ts"
import { equalityStudy } from "../../study/equality/equality-study.ts"
import { drawFigure } from "../../study/figures/draw.ts"
import { inspectPage } from "../../study/inspect/inspect-page.ts"
import { runStudy } from "../../study/run-study.ts"
import type { Study } from "../../study/study.ts"
import { swapStudy } from "../../study/swap/swap-study.ts"
import type { Session } from "../session.ts"
import { exposeOnce } from "./expose-once.ts"
import { makeRelease } from "./make-release.ts"
import { rawLog, shownMethods } from "./shown-methods.ts"
import { streamAWhile } from "./stream-a-while.ts"
import { tryFrontier } from "./try-frontier.ts"

/** Shows that a folder is ours to replace: a name that nobody else gives. */
const mark = "queryveil-demo.json"

/** Studies that are shown besides, each over a grid that takes seconds. */
const studied: readonly (readonly [study: Study, grid: object, says: string])[] = [
  [equalityStudy, { k: [1, 2, 3, 5, 10, 20, 50, 100, 200, 500] }, "Plain k-anonymity for other values of k"],
  [affinityStudy, { k: [1, 2, 3, 5, 10, 20, 50, 100, 200, 500] }, "What releasing rare refinements of common queries keeps and lets through"], // biome-ignore format: a row
  [swapStudy, { k: [3, 10], depth: [1, 3, 6] }, "Users who change places within topics, and those who try to undo it"],
]

interface DemoSize {
  folder: string
  rows: number
  users: number
}

/** What is told of the log to who makes it up. */
interface MadeLog extends Omit<DemoSize, "folder"> {
  seed: number
  secrets: number
  follow: number
}

/** Everything from a made-up log to one page that tells it as a story. One that is interrupted leaves nothing. */
export async function runDemo(session: Session, size: DemoSize): Promise<number> {
  const { folder, rows, users } = size
  await clearFolder(folder)
  // Half follows: order enough for suggestions to tell releases apart, and the shape of the log stays (docs/methods/synth.md).
  const made = { rows, users, seed: 2006, secrets: 0.001, follow: 0.5 }
  try {
    await writeFileWhole(join(folder, mark), `${JSON.stringify(made, null, 2)}\n`, { mode: 0o644 })
    return await tellStory(session, { folder, made })
  } catch (error) {
    await emptyFolder(folder)
    await rmdir(folder).catch(() => {}) // where one stands cannot be removed
    throw error
  }
}

async function tellStory(session: Session, { folder, made }: { folder: string; made: MadeLog }): Promise<number> {
  const { context } = session
  const { rows } = made
  const at = (name: string) => join(folder, name)
  await mkdir(at("releases"))

  session.say(`Making up a log of ${rows.toLocaleString("en")} rows …`)
  await writeSynth(at("log.tsv"), { ...made, truth: at("truth") }, context)
  const input = await readLog(at("log.tsv"), {}, context)
  const { log } = input
  const { truth } = fitTruth(await readTruth(at("truth")), input)
  const created = new Date(context.now())
  await writeFileWhole(at("inspect.html"), await inspectPage(await inspectLog(log, {}, context), { created }), {
    mode: 0o644,
  })

  session.say("Attacking the log as it is …")
  const raw = await attackRaw(input, truth, context)

  const releases: ShownRelease[] = []
  for (const shown of shownMethods) {
    session.say(`Releasing by ${shown.method}: verify, attack, measure …`)
    releases.push(await makeRelease(shown, { folder, input, truth }, context))
  }
  const [first] = releases
  if (first === undefined) throw new Error("the demo shows no release")

  session.say("Comparing all methods over their parameters …")
  const frontier = await tryFrontier(input, { folder: at("frontier"), truth }, context)
  const svg = await drawFigure(frontier.chart)

  session.say("Streaming …")
  const stream = await streamAWhile(log, { folder: at("stream"), searches: rows / 2, k: 10, depth: 3 }, context)
  session.say("Searching as one person …")
  const exposed = await exposeOnce(context)

  for (const [study, grid] of studied) {
    session.say(`Studying ${study.name} …`)
    const options = Value.Parse(study.options, Value.Default(study.options, { ...grid }))
    const run = { study, options, seed: 1, input: "demo", subject: { log, truth } }
    await runStudy(at(`study-${study.name}`), run, context)
  }
  const studies = studied.map(([{ name }, , says]) => ({ page: `study-${name}/index.html`, says }))
  const { reasons, command } = frontier
  const compared = { page: "frontier/index.html", svg, advice: reasons, command }
  const content = { log, raw, releases, first, frontier: compared, stream, exposed, follow: made.follow, studies }
  await writeFileWhole(at("index.html"), demoPage(content), { mode: 0o644 })
  session.answer({ folder, index: at("index.html") })
  session.say(`\nOpen ${at("index.html")}`)
  return 0
}

async function clearFolder(folder: string): Promise<void> {
  await refusePrivate(folder)
  await reserveFolder(folder, { mark, force: true })
  try {
    await mkdir(folder, { recursive: true })
    await emptyFolder(folder)
  } catch (error) {
    throw writeError(folder, error)
  }
}

/** The mark goes last: what is killed meanwhile is still ours to replace. */
async function emptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder)
  for (const name of [...names.filter((name) => name !== mark), mark])
    await rm(join(folder, name), { recursive: true, force: true })
}

/** The attacks on what was published in 2006: the log, its user ids replaced. */
async function attackRaw(
  { log }: ReadResult,
  truth: Truth,
  { signal, workers, report }: RunContext,
): Promise<ProbeOutcome[]> {
  const seeded = createContext({ seed: 1, signal, workers, report })
  const draft = await makeDraft(log, rawLog, seeded)
  const subject = { release: openDraft(draft), log, truth, audit: openDraftAudit(draft) }
  return attack(subject, { only: ["profile", "secrets"] }, seeded)
}
