import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createContext, type RunContext, type SearchLog } from "../../index.ts"
import { openInput, openOutput, serveStream, startStream } from "../../stream.ts"
import type { DemoContent } from "../../study/demo/demo-page.ts"

/**
 * Sends the first searches of a log, in time order, through a complete live stream with its journal and its running
 * attack. Leaves `searches.tsv`, `released.tsv` and the store in the folder.
 */
export async function streamAWhile(
  log: SearchLog,
  { folder, searches, k, depth }: { folder: string; searches: number; k: number; depth: number },
  { signal, workers, now }: RunContext,
): Promise<DemoContent["stream"]> {
  const at = (name: string) => join(folder, name)
  await mkdir(at("store"), { recursive: true, mode: 0o700 })
  await writeFile(at("searches.tsv"), asLines(log, searches), { mode: 0o600 })
  // The stream draws its own randomness and reports its own progress.
  const context = createContext({ signal, workers, now })
  const output = openOutput(`file:${at("released.tsv")}`)
  const warn = () => {}
  const stream = await startStream(at("store"), { k, depth }, { output, to: "tsv", warn }, context)
  const input = openInput(`file:${at("searches.tsv")}`, { folder: at("store"), warn })
  await serveStream(stream, { inputs: [input], signal })
  return stream.figures()
}

/** Searches as they would have arrived: the earliest searches of the log, without clicks. */
function asLines({ rows, user, query, time, event, users, queries }: SearchLog, searches: number): string {
  const firsts = Uint32Array.from({ length: rows }, (_, row) => row).filter(
    (row) => row === 0 || event[row] !== event[row - 1],
  )
  const lines = Array.from(
    firsts.sort((a, b) => (time[a] ?? 0) - (time[b] ?? 0) || a - b).subarray(0, searches),
    (row) => {
      const moment = new Date((time[row] ?? 0) * 1000).toISOString().slice(0, 19).replace("T", " ")
      return `${users.text(user[row] ?? 0)}\t${queries.text(query[row] ?? 0)}\t${moment}\t\t\n`
    },
  )
  return `AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n${lines.join("")}`
}
