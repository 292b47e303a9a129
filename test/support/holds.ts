import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { readRelease } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import { overall } from "#dist/verify/verifier.js"

/** What verify says of a release folder, given its log. */
export async function stateOf(folder: string, log: string): Promise<string> {
  const context = createContext({ workers: 1 })
  const subject = { release: await readRelease(folder), log: (await readLog(log, {}, context)).log }
  return overall(await verify(subject, context))
}
