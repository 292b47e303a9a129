import { writeChunksWhole } from "../files/write-file.ts"
import { civilTimeWriter } from "../kernels/civil-time.ts"
import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import { type SearchLog, unknownRank } from "../log/search-log.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { releaseColumns } from "./column-policy.ts"

const sliceRows = 1 << 15
const timeBytes = 19

/** A log and the topic of each of its queries; -1 for none. */
export interface ClassifiedLog {
  log: SearchLog
  topicOf: Int32Array
  taxonomy: Taxonomy
}

/** Writes the rows of a log in AOL's layout with a sixth column: the path of the query's topic, or nothing. Private. */
export async function writeClassified(path: string, classified: ClassifiedLog, context: RunContext): Promise<void> {
  await writeChunksWhole(path, encodeClassified(classified, context), { mode: 0o600 })
}

async function* encodeClassified(
  { log, topicOf, taxonomy }: ClassifiedLog,
  context: RunContext,
): AsyncGenerator<Uint8Array> {
  const { user, query, time, rank, url } = releaseColumns
  yield Buffer.from(`${[user, query, time, rank, url, "Category"].join("\t")}\n`)
  const writeTime = civilTimeWriter()
  const paths = new Map<number, Uint8Array>()
  const pathOf = (topic: number) => {
    const known = paths.get(topic)
    if (known !== undefined) return known
    const bytes = Buffer.from(topic < 0 ? "" : taxonomy.path(topic))
    paths.set(topic, bytes)
    return bytes
  }
  for (let from = 0; from < log.rows; from += sliceRows) {
    await yieldAndReport(context, { stage: "writing", done: from, total: log.rows })
    const to = Math.min(log.rows, from + sliceRows)
    let out = Buffer.alloc((to - from) * 120)
    let at = 0
    const put = (bytes: Uint8Array) => {
      if (at + bytes.length + 64 > out.length) out = Buffer.concat([out, Buffer.alloc(out.length + bytes.length + 64)])
      out.set(bytes, at)
      at += bytes.length
    }
    const tab = () => {
      out[at++] = 9
    }
    for (let row = from; row < to; row++) {
      put(log.user[row] < 0 ? nothing : log.users.bytes(log.user[row]))
      tab()
      put(log.queries.bytes(log.query[row]))
      tab()
      writeTime(out, at, log.time[row])
      at += timeBytes
      tab()
      if (log.url[row] >= 0 && log.rank[row] !== unknownRank) put(Buffer.from(String(log.rank[row])))
      tab()
      put(log.url[row] < 0 ? nothing : log.urls.bytes(log.url[row]))
      tab()
      put(pathOf(topicOf[log.query[row]]))
      out[at++] = 10
    }
    yield out.subarray(0, at)
  }
}

const nothing = new Uint8Array(0)
