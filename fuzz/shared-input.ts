import { mostBytes } from "./mutate.ts"

/** Where a thread stores the input that it runs, for the thread that watches it. */
export interface SharedInput {
  /** Number of runs so far, and the length of the input. */
  state: Int32Array
  bytes: Uint8Array
}

/** Allocates memory that two threads share. */
export function createSharedInput(): SharedInput {
  return { state: new Int32Array(new SharedArrayBuffer(8)), bytes: new Uint8Array(new SharedArrayBuffer(mostBytes)) }
}

/** Stores an input. */
export function leaveInput({ state, bytes }: SharedInput, input: Uint8Array): void {
  bytes.set(input.subarray(0, mostBytes))
  Atomics.store(state, 1, Math.min(input.length, mostBytes))
  Atomics.add(state, 0, 1)
}

/** The input that was stored last. */
export function takeInput({ state, bytes }: SharedInput): Uint8Array {
  return bytes.slice(0, Atomics.load(state, 1))
}
