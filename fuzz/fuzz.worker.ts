import { register } from "node:module"
import { parentPort, workerData } from "node:worker_threads"
import { fuzzTarget } from "./fuzz-target.ts"
import { leaveInput, type SharedInput } from "./shared-input.ts"
import type { FuzzTarget } from "./target.ts"

/** What a thread is given. */
export interface FuzzOrder {
  /** The module of the target. */
  url: string
  covers: readonly string[]
  seconds: number
  seed: number
  corpus: readonly Uint8Array[]
  shared: SharedInput
}

const { url, covers, shared, ...options }: FuzzOrder = workerData
const dist = new URL("../../dist/", import.meta.url)
register("./instrument.js", import.meta.url, { data: covers.map((start) => new URL(start, dist).href) })
const { target }: { target: FuzzTarget } = await import(url)
const result = await fuzzTarget(target, { ...options, before: (input) => leaveInput(shared, input) })
parentPort?.postMessage(result)
