import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { Worker } from "node:worker_threads"
import { keepFound, readCorpus, replaceCorpus } from "./corpus.ts"
import type { FuzzOrder } from "./fuzz.worker.ts"
import type { FuzzResult } from "./fuzz-target.ts"
import { createSharedInput, takeInput } from "./shared-input.ts"
import type { FuzzTarget } from "./target.ts"

const usage = "npm run fuzz -- NAME|all [--seconds 60] [--seed 1] [--keep]"
const targets = fileURLToPath(new URL("targets/", import.meta.url))
const corpora = fileURLToPath(new URL("../../fuzz/corpus/", import.meta.url))
/** A run that takes more wall-clock time than this has hung. */
const hangSeconds = 20
const heapMegabytes = 512
/** Time to load, to instrument, and to minimise findings. */
const startSeconds = 90
const script = fileURLToPath(import.meta.url)

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    keep: { type: "boolean", default: false },
  },
})
const known = readdirSync(targets)
  .filter((name) => name.endsWith(".js"))
  .map((name) => name.slice(0, -3))
const [chosen = ""] = positionals
const [seconds, seed] = [Number(values.seconds), Number(values.seed)]
if ((chosen !== "all" && !known.includes(chosen)) || !(seconds > 0) || !Number.isInteger(seed)) {
  process.stderr.write(`${usage}\nNAME is one of ${known.join(", ")}.\n`)
  process.exit(2)
}

if (chosen === "all") process.exit(fuzzAll())
process.exit((await fuzz(chosen)) > 0 ? 1 : 0) // do not wait for a thread that hangs

/** Fuzzes one target after another, each in its own process. Returns 1 if any of them found something. */
function fuzzAll(): number {
  const rest = ["--seconds", values.seconds, "--seed", values.seed, ...(values.keep ? ["--keep"] : [])]
  const timeout = (seconds + startSeconds) * 1000
  const ended = known.map((name) => {
    const { status } = spawnSync(process.execPath, [...process.execArgv, script, name, ...rest], {
      stdio: "inherit",
      timeout,
    })
    if (status === null) process.stdout.write(`${name} did not finish in time\n`)
    return status
  })
  return ended.every((status) => status === 0) ? 0 : 1
}

/**
 * Fuzzes one target in a thread, which is ended when it hangs or runs out of memory. Returns the number of problems.
 */
async function fuzz(name: string): Promise<number> {
  const folder = join(corpora, name)
  const url = pathToFileURL(join(targets, `${name}.js`)).href
  const { target }: { target: FuzzTarget } = await import(url)
  const shared = createSharedInput()
  const corpus = readCorpus(folder).map(({ input }) => input)
  const order: FuzzOrder = { url, covers: target.covers, seconds, seed, corpus, shared }
  const worker = new Worker(new URL("./fuzz.worker.js", import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  })
  const started = performance.now()
  const result = await new Promise<FuzzResult>((resolve) => {
    const stop = (problem: string) => {
      resolve({
        runs: shared.state[0],
        reached: 0,
        reachedFirst: 0,
        corpus: [],
        found: [{ input: takeInput(shared), problem }],
      })
    }
    let before = -1
    const watch = setInterval(() => {
      if (shared.state[0] === before && before > 0) stop(`hangs: one input runs for more than ${hangSeconds} s`)
      before = shared.state[0]
    }, hangSeconds * 1000)
    worker.once("message", resolve)
    worker.once("error", (error) => stop(error.stack ?? error.message))
    worker.once("exit", () => clearInterval(watch))
  })
  const took = Math.round((performance.now() - started) / 1000)
  const { runs, reachedFirst, reached, found } = result
  process.stdout.write(`${name.padEnd(14)} | ${took} | ${runs} | ${reachedFirst} | ${reached} | ${found.length}\n`)
  for (const { input, problem } of found) process.stdout.write(`\n${keepFound(folder, input)}\n${problem}\n\n`)
  if (values.keep && result.corpus.length > 0) replaceCorpus(folder, result.corpus)
  return found.length
}
