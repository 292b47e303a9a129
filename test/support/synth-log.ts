import { createContext } from "queryveil/kernels"
import { writeSynth } from "queryveil/release"

/** Writes a made-up log. */
export async function synthLog(
  path: string,
  options: { rows: number; users: number; seed?: number; follow?: number },
): Promise<void> {
  await writeSynth(path, { seed: 1, ...options }, createContext({ workers: 2 }))
}
