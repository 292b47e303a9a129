import { shareByTexts } from "../../kernels/cache-by.ts"
import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import { streamParallel } from "../../kernels/parallel.ts"
import { type KindSet, noKinds } from "./kinds.ts"
import type { ScanShard } from "./scan.worker.ts"

const shardQueries = 1 << 18
const worker = new URL("./scan.worker.js", import.meta.url)

/** `scanQueries` on all workers: the kinds that each query of a dictionary contains. */
export async function findIdentifiers(queries: Dictionary, kinds: KindSet, context: RunContext): Promise<Uint16Array> {
  const found = await identifiers(queries, { options: kinds, context }, () => scanAll(queries, kinds, context))
  return found.slice() // the caller may change its own
}

const identifiers = shareByTexts<Uint16Array>()

async function scanAll(queries: Dictionary, kinds: KindSet, context: RunContext): Promise<Uint16Array> {
  const found = new Uint16Array(queries.size)
  if (kinds === noKinds) return found
  const parts = queries.parts()
  const shards = Array.from({ length: Math.ceil(queries.size / shardQueries) }, (_, i): ScanShard => {
    return { queries: parts, kinds, from: i * shardQueries, to: Math.min(queries.size, (i + 1) * shardQueries) }
  })
  let done = 0
  for await (const kindsOf of streamParallel<ScanShard, Uint16Array>(worker, shards, context)) {
    found.set(kindsOf, done)
    done += kindsOf.length
    await yieldAndReport(context, { stage: "scrubbing", done, total: queries.size })
  }
  return found
}
