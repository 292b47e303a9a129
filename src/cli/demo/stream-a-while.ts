import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { Value } from "#typebox"
import { writeFileWhole } from "../../files/write-file.ts"
import { createContext, type RunContext } from "../../kernels/context.ts"
import { orderByNumbers } from "../../kernels/order-by-numbers.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { fileInput } from "../../stream/inputs/file-input.ts"
import type { StreamFigures } from "../../stream/live/figures.ts"
import { openLiveStream } from "../../stream/live/open-live-stream.ts"
import { liveOptions } from "../../stream/live/options.ts"
import { fileOutput } from "../../stream/outputs/file-output.ts"
import { serveStream } from "../../stream/serve-stream.ts"
import { openStore } from "../../stream/store/open-store.ts"
import { taxonomyFingerprint } from "../../taxonomy/fingerprint.ts"
import { openTaxonomy } from "../../taxonomy/open-taxonomy.ts"

/**
 * The first searches of a log in the order of their times, through a live stream, whole with its journal and its running attack.
 * Leaves `searches.tsv`, `released.tsv` and the store in the folder.
 */
export async function streamAWhile(
  log: SearchLog,
  { folder, searches, k, depth }: { folder: string; searches: number; k: number; depth: number },
  { signal, workers, now }: RunContext,
): Promise<StreamFigures> {
  const at = (name: string) => join(folder, name)
  await mkdir(at("store"), { recursive: true, mode: 0o700 })
  await writeFileWhole(at("searches.tsv"), asLines(log, searches), { mode: 0o600 })
  const options = Value.Parse(liveOptions, Value.Default(liveOptions, { k, depth }))
  // What the stream does is drawn afresh and reported by itself.
  const context = createContext({ signal, workers, now })
  const taxonomy = await openTaxonomy(options.taxonomy, {}, context)
  const store = await openStore(at("store"), {
    mode: options.mode,
    taxonomy: taxonomyFingerprint(taxonomy),
    remember: options.remember,
    now,
    onFull: () => {},
  })
  const warn = () => {}
  const output = fileOutput(at("released.tsv"), { onFull: () => {} })
  const parts = { store, output, taxonomy, to: "tsv" as const, isFull: () => false, warn }
  const stream = await openLiveStream(options, parts, context)
  const choice = { format: "auto" as const, columns: undefined, jsonPath: undefined, unit: "user" as const }
  const input = fileInput({
    ...choice,
    encoding: undefined,
    path: at("searches.tsv"),
    follow: false,
    folder: at("store"),
    warn,
  })
  await serveStream(stream, { inputs: [input], signal })
  return stream.figures()
}

/** Searches as they would have come in: the earliest rows of the log, without clicks. */
function asLines({ rows, user, query, time, event, users, queries }: SearchLog, searches: number): string {
  const firsts = Uint32Array.from({ length: rows }, (_, row) => row).filter(
    (row) => row === 0 || event[row] !== event[row - 1],
  )
  // Times before 1970 are negative: the sign bit is turned over, so that they come first.
  const order = orderByNumbers([firsts.map((row) => (time[row] ?? 0) ^ 0x80000000)]).subarray(0, searches)
  const lines = Array.from(order, (place) => {
    const row = firsts[place] ?? 0
    const moment = new Date((time[row] ?? 0) * 1000).toISOString().slice(0, 19).replace("T", " ")
    return `${users.text(user[row] ?? 0)}\t${queries.text(query[row] ?? 0)}\t${moment}\t\t\n`
  })
  return `AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n${lines.join("")}`
}
