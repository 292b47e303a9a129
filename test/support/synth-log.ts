import { createContext } from "#dist/kernels/context.js"
import { writeSynth } from "#dist/release/write-synth.js"

/** Writes a synthetic log. */
export async function synthLog(
  path: string,
  options: { rows: number; users: number; seed?: number; follow?: number },
): Promise<void> {
  await writeSynth(path, { seed: 1, ...options }, createContext({ workers: 2 }))
}
