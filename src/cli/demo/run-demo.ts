import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import {
  anonymize,
  attack,
  chooseRelease,
  createContext,
  fitTruth,
  inspect,
  openDraft,
  openDraftAudit,
  type ProbeOutcome,
  type ReadResult,
  type RunContext,
  readLog,
  readTruth,
  studyLog,
  type Truth,
  writeSynth,
} from "../../index.ts"
import { type DemoContent, demoPage, type ShownRelease } from "../../study/demo/demo-page.ts"
import { frontierChart } from "../../study/demo/frontier-chart.ts"
import { exposeOnce } from "./expose-once.ts"
import { makeRelease } from "./make-release.ts"
import { runTogether } from "./run-together.ts"
import { rawLog, shownMethods } from "./shown-methods.ts"
import { streamAWhile } from "./stream-a-while.ts"

/** Additional studies, each over a grid that takes seconds. */
const studied: readonly (readonly [name: string, grid: object, says: string])[] = [
  ["equality", { k: [1, 2, 5, 10, 50, 200] }, "Plain k-anonymity for other values of k"],
  [
    "affinity",
    { k: [2, 5, 10, 50, 200], theta: [0.9], samples: 5, sampleSize: 2000, subgraphs: 100 },
    "Releasing rare refinements of common queries: what is kept, and which secrets survive",
  ],
  [
    "swap",
    { k: [10], depth: [1, 3, 6], parts: ["grid", "wrong"] },
    "Swapping users within topics, and attacks that try to undo it",
  ],
]

/** Parameters of the synthetic log. */
interface DemoLog {
  rows: number
  users: number
  seed: number
  secrets: number
  follow: number
}

/** A step of the demo, as progress messages name it. */
interface DemoStep {
  kind: "step"
  number: number
  total: number
  name: string
}

/**
 * Makes everything from a synthetic log to one page that tells the story, in an empty folder. Returns the page and its
 * releases.
 */
export async function runDemo(
  folder: string,
  { synth, enterStep }: { synth: DemoLog; enterStep: (step: DemoStep) => RunContext },
): Promise<{ index: string; releases: readonly ShownRelease[] }> {
  const { rows, follow } = synth
  const at = (name: string) => join(folder, name)
  const path = at("log.tsv")
  await mkdir(at("releases"))

  const total = 5 + shownMethods.length + studied.length
  let number = 0
  const step = (name: string) => enterStep({ kind: "step", number: ++number, total, name })

  const making = step("making and inspecting a synthetic log")
  await writeSynth(path, { ...synth, truth: at("truth") }, making)
  const input = await readLog(path, {}, making)
  const { log } = input
  const { truth } = fitTruth(await readTruth(at("truth")), input)
  await inspect(input, { html: at("inspect.html") }, making)

  let isAlone = making.workers === 1
  const compare = (signal: AbortSignal) => {
    const comparing = step("comparing all methods")
    const workers = Math.max(1, comparing.workers - 1)
    // The step in front is shown. This one is shown while no other step runs.
    const report: RunContext["report"] = (progress) => isAlone && comparing.report(progress)
    return compareMethods({ folder, input }, { ...comparing, workers, signal, report })
  }
  const doTheRest = async (signal: AbortSignal) => {
    // All of it in this thread, which then finds the topics of the log once.
    const next = (name: string): RunContext => ({ ...step(name), workers: 1, shares: true, signal })
    const raw = await attackRaw(input, truth, next("attacking the log as it is"))
    const releases: ShownRelease[] = []
    for (const shown of shownMethods) {
      releases.push(await makeRelease(shown, { folder, input }, next(`releasing by ${shown.choice.method}`)))
    }
    const streamed = { folder: at("stream"), searches: rows / 2, k: 10, depth: 3 }
    const stream = await streamAWhile(log, streamed, next("streaming"))
    const exposed = await exposeOnce(next("searching as one person"))
    for (const [name, values] of studied) {
      const options = { output: at(`study-${name}`), values, truth: at("truth") }
      await studyLog(name, input, options, next(`studying ${name}`))
    }
    isAlone = true
    return { raw, releases, stream, exposed }
  }
  const [frontier, { raw, releases, stream, exposed }] = await runTogether(compare, doTheRest, making)

  const [first] = releases
  if (first === undefined) throw new Error("the demo shows no release")
  const studies = studied.map(([name, , says]) => ({ page: `study-${name}/index.html`, says }))
  await writeFile(at("index.html"), demoPage({ log, raw, releases, first, frontier, stream, exposed, follow, studies }))
  return { index: at("index.html"), releases }
}

/** Attacks the log with its user ids replaced, which is what was published in 2006. */
async function attackRaw({ log }: ReadResult, truth: Truth, context: RunContext): Promise<ProbeOutcome[]> {
  const seeded = { ...context, random: createContext({ seed: 1 }).random }
  const draft = await anonymize(log, rawLog, seeded)
  const subject = { release: openDraft(draft), log, truth, audit: openDraftAudit(draft) }
  return attack(subject, { only: ["profile", "secrets"] }, seeded)
}

/** Computes a coarse frontier of the log as a study, and which release it recommends. */
async function compareMethods(
  { folder, input }: { folder: string; input: ReadResult },
  context: RunContext,
): Promise<DemoContent["frontier"]> {
  const at = (name: string) => join(folder, name)
  const use = "suggestions"
  const options = { output: at("frontier"), values: { coarse: true, use }, truth: at("truth") }
  const { results } = await studyLog("frontier", input, options, context)
  const { reasons, command } = await chooseRelease(results, { use, maxRisk: 0.05, log: "log.tsv" })
  const found = { page: "frontier/index.html", chart: await frontierChart(results, use) }
  if (command === undefined)
    return { ...found, advice: ["No release was safe enough."], command: "queryveil advise log.tsv" }
  return { ...found, advice: reasons, command }
}
