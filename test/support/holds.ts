import { createContext } from "queryveil/kernels"
import { readLog } from "queryveil/log"
import { readRelease } from "queryveil/release"
import { overall, verify } from "queryveil/verify"

/** What verify says of a release folder beside its log. */
export async function stateOf(folder: string, log: string): Promise<string> {
  const context = createContext({ workers: 1 })
  const subject = { release: await readRelease(folder), log: (await readLog(log, {}, context)).log }
  return overall(await verify(subject, context))
}
