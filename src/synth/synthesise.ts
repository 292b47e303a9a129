import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import { streamParallel } from "../kernels/parallel.ts"
import { wordNetTaxonomy } from "../taxonomy/wordnet/wordnet-taxonomy.ts"
import { openWordNet } from "../wordnet/open-wordnet.ts"
import { type Span, spreadRows } from "./activity.ts"
import { planSynth, type SynthOptions, type SynthPlan } from "./options.ts"
import { type SecretKind, secretKinds } from "./secrets.ts"
import { createSeenTexts } from "./seen-texts.ts"
import type { ShardText, SynthShard } from "./shard.ts"
import { buildVocabulary, type Vocabulary } from "./vocabulary.ts"

/** A planted secret: its kind, and its line in the generated file (the header is line 1). */
export interface PlantedSecret {
  row: number
  kind: SecretKind
}

/** A piece of the file, and the ground truth about it. */
export interface SynthChunk {
  bytes: Uint8Array
  rows: number
  secrets: PlantedSecret[]
  /** Lines `query \t path` of topics.tsv, if requested. */
  topics: Uint8Array
}

const shardRows = 16_384
/** Mean rows of an event, to convert the share of searches with a secret. */
const rowsPerEvent = 1.26
const worker = new URL("./synth.worker.js", import.meta.url)

/**
 * Generates an AOL-shaped log without any real person, chunk by chunk (see docs/methods/synth.md). The same options
 * give the same bytes, whatever the number of workers. Memory does not grow with the rows.
 */
export async function* synthesise(
  options: SynthOptions & { topics?: boolean },
  context: RunContext,
): AsyncGenerator<SynthChunk> {
  const plan = planSynth(options)
  const vocabulary = await openVocabulary(context)
  const wantTopics = options.topics ?? false
  const seen = createSeenTexts(wantTopics ? plan.rows : 0)
  yield {
    bytes: Buffer.from("AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"),
    rows: 0,
    secrets: [],
    topics: Buffer.from(wantTopics ? "query\tpath\n" : ""),
  }
  const sizes: number[] = [] // of the shards in progress
  const shards = shardsOf(plan, { vocabulary, topics: wantTopics, sizes })
  let done = 0
  for await (const text of streamParallel<SynthShard, ShardText>(worker, shards, context)) {
    const rows = sizes.shift() ?? 0
    const secrets = Array.from(text.secretRow, (row, i): PlantedSecret => {
      return { row: row + done + 2, kind: secretKinds[text.secretKind[i]] }
    })
    done += rows
    yield { bytes: text.bytes, rows, secrets, topics: newLines(text, seen) }
    await yieldAndReport(context, { stage: "synthesising a log", done, total: plan.rows })
  }
}

let opened: Vocabulary | undefined

/** The vocabulary is the same for every log, so it is built once. */
async function openVocabulary(context: RunContext): Promise<Vocabulary> {
  opened ??= buildVocabulary(wordNetTaxonomy(await openWordNet({}, context)))
  return opened
}

function* shardsOf(
  plan: SynthPlan,
  { vocabulary, topics, sizes }: { vocabulary: Vocabulary; topics: boolean; sizes: number[] },
): Generator<SynthShard> {
  const secretsPerUser = (plan.secrets * plan.rows) / plan.users / rowsPerEvent
  const settings = { seed: plan.seed, users: plan.users, secretsPerUser, follow: plan.follow, topics }
  let spans: Span[] = []
  let rows = 0
  const shard = (): SynthShard => {
    sizes.push(rows)
    return {
      vocabulary,
      settings,
      user: Float64Array.from(spans, ({ user }) => user),
      part: Uint32Array.from(spans, ({ part }) => part),
      parts: Uint32Array.from(spans, ({ parts }) => parts),
      rows: Uint32Array.from(spans, (span) => span.rows),
    }
  }
  for (const span of spreadRows(plan)) {
    spans.push(span)
    rows += span.rows
    if (rows < shardRows) continue
    yield shard()
    spans = []
    rows = 0
  }
  if (spans.length > 0) yield shard()
}

/** The topic lines of queries that were not seen before. */
function newLines(
  { topicLines, topicLength, topicHashLow, topicHashHigh }: ShardText,
  seen: ReturnType<typeof createSeenTexts>,
) {
  let from = 0
  let kept = 0
  for (let i = 0; i < topicLength.length; i++) {
    const to = from + topicLength[i]
    if (seen.isNew(topicHashLow[i], topicHashHigh[i])) {
      topicLines.copyWithin(kept, from, to)
      kept += topicLength[i]
    }
    from = to
  }
  return topicLines.subarray(0, kept)
}
