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
import { rawLog, shownMethods } from "./shown-methods.ts"
import { streamAWhile } from "./stream-a-while.ts"

/** Additional studies, each over a grid that takes seconds. */
const studied: readonly (readonly [name: string, grid: object, says: string])[] = [
  ["equality", { k: [1, 2, 3, 5, 10, 20, 50, 100, 200, 500] }, "Plain k-anonymity for other values of k"],
  [
    "affinity",
    { k: [1, 2, 3, 5, 10, 20, 50, 100, 200, 500] },
    "Releasing rare refinements of common queries: what is kept, and which secrets survive",
  ],
  ["swap", { k: [3, 10], depth: [1, 3, 6] }, "Swapping users within topics, and attacks that try to undo it"],
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
  await inspect(path, { html: at("inspect.html") }, making)

  const raw = await attackRaw(input, truth, step("attacking the log as it is"))

  const releases: ShownRelease[] = []
  for (const shown of shownMethods) {
    releases.push(await makeRelease(shown, { folder, input }, step(`releasing by ${shown.choice.method}`)))
  }
  const [first] = releases
  if (first === undefined) throw new Error("the demo shows no release")

  const frontier = await compareMethods(folder, step("comparing all methods"))
  const streamed = { folder: at("stream"), searches: rows / 2, k: 10, depth: 3 }
  const stream = await streamAWhile(log, streamed, step("streaming"))
  const exposed = await exposeOnce(step("searching as one person"))

  for (const [name, values] of studied) {
    const options = { output: at(`study-${name}`), values, truth: at("truth") }
    await studyLog(name, path, options, step(`studying ${name}`))
  }
  const studies = studied.map(([name, , says]) => ({ page: `study-${name}/index.html`, says }))
  await writeFile(at("index.html"), demoPage({ log, raw, releases, first, frontier, stream, exposed, follow, studies }))
  return { index: at("index.html"), releases }
}

/** Attacks the log with its user ids replaced, which is what was published in 2006. */
async function attackRaw(
  { log }: ReadResult,
  truth: Truth,
  { signal, workers, report }: RunContext,
): Promise<ProbeOutcome[]> {
  const seeded = createContext({ seed: 1, signal, workers, report })
  const draft = await anonymize(log, rawLog, seeded)
  const subject = { release: openDraft(draft), log, truth, audit: openDraftAudit(draft) }
  return attack(subject, { only: ["profile", "secrets"] }, seeded)
}

/** Computes a coarse frontier of the log as a study, and which release it recommends. */
async function compareMethods(folder: string, context: RunContext): Promise<DemoContent["frontier"]> {
  const at = (name: string) => join(folder, name)
  const use = "suggestions"
  const options = { output: at("frontier"), values: { coarse: true, use }, truth: at("truth") }
  const { results } = await studyLog("frontier", at("log.tsv"), options, context)
  const { reasons, command } = await chooseRelease(results, { use, maxRisk: 0.05, log: "log.tsv" })
  const found = { page: "frontier/index.html", chart: await frontierChart(results, use) }
  if (command === undefined)
    return { ...found, advice: ["No release was safe enough."], command: "queryveil advise log.tsv" }
  return { ...found, advice: reasons, command }
}
