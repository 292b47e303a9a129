import { availableParallelism } from "node:os"
import { createContext } from "#dist/kernels/context.js"
import { KafkaLink } from "#dist/stream/kafka/kafka-link.js"
import { parseKafkaPlace } from "#dist/stream/kafka/kafka-place.js"
import { MessagePlans } from "#dist/stream/kafka/message-plans.js"
import { openPreparation, type Preparation } from "#dist/stream/live/prepare.js"
import type { StreamCore } from "#dist/stream/live/stream-core.js"
import { ClassifiedTotals, classifyPartition } from "#dist/stream/workers/classify-worker.js"
import { PlanWatch } from "#dist/stream/workers/plan-topic.js"
import { readSecrets } from "#dist/stream/workers/secret-file.js"
import { swapInPartition } from "#dist/stream/workers/swap-worker.js"
import type { MeasuredClient } from "#dist/stream/workers/worker-meter.js"
import { namesOf } from "#dist/stream/workers/worker-plan.js"
import { WorkerRisk } from "#dist/stream/workers/worker-risk.js"
import { openClassifier } from "#dist/taxonomy/classify/open-classifier.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import { parseKinds } from "#dist/text/identifiers/kinds.js"
import { benchFolder } from "../data.ts"
import type { MemberOptions, MemberResult } from "./member-options.ts"

const warn = (text: string) => process.stderr.write(`${text}\n`)
const choice = { format: "auto", columns: undefined, jsonPath: undefined, unit: "user", encoding: undefined } as const

/** What a worker of either role opens before it begins. */
async function openGroup({ addresses, group }: MemberOptions) {
  const context = createContext({})
  const link = await KafkaLink.open(parseKafkaPlace(`//${addresses}/${group}`, "bench"), { warn, note: () => {} })
  const plans = await PlanWatch.require(link, group)
  const taxonomy = await openTaxonomy("wordnet", { cache: benchFolder }, context)
  return { link, group, plans, taxonomy, context, warn }
}

/** The work of `stream classify` on some partitions, without the membership in the group. */
export async function prepareClassifier(options: MemberOptions) {
  const parts = await openGroup(options)
  const { taxonomy, plans, context } = parts
  const { settings, input } = plans.current
  const classifier = await openClassifier(undefined, { taxonomy, warn }, context)
  const setup = { kinds: parseKinds(settings.scrub), classifier, ownTopics: true }
  const preparation = await openPreparation(setup, context)
  await startThreads(preparation)
  const totals = new ClassifiedTotals()
  return async (signal: AbortSignal): Promise<Partial<MemberResult>> => {
    const end = new AbortController()
    const clients: MeasuredClient[] = []
    const { partitions, until } = options
    const times: number[] = []
    const isThrough = () => clients.length === partitions.length && clients.every(({ lag }) => lag === 0)
    const meter = {
      restored: () => {},
      opened: (_: unknown, client: MeasuredClient) => {
        clients.push(client)
        client.transacted = (milliseconds: number) => {
          times.push(milliseconds)
          if (until !== null && isThrough()) end.abort()
        }
      },
    }
    const both = AbortSignal.any([signal, end.signal])
    const worker = { ...parts, preparation, choice, totals, meter }
    const ended = partitions.map((partition) => classifyPartition(worker, { topic: input, partition }, both))
    await Promise.all(ended)
    return { passed: totals.classified, transactions: summary(times) }
  }
}

/** Lets the threads of a classifier start, and load WordNet, before time is measured. */
async function startThreads(preparation: Preparation): Promise<void> {
  const search = Buffer.from('{"user":"1","query":"weather","time":"2006-03-01 00:00:00"}')
  const messages = Array.from({ length: 1000 }, () => ({ value: search }))
  const [run] = new MessagePlans(choice, "bench").read(messages)
  if (run === undefined) throw new Error("a search was not read")
  const { bytes, length, plan } = run
  const block = () => ({ bytes: bytes.slice(), length, plan, skipLines: 0, seed: 1, low: 2 })
  await Promise.all(Array.from({ length: availableParallelism() }, () => preparation.prepare(block())))
}

/** The work of `stream swap` on some partitions, without the membership in the group. */
export async function prepareSwapper(options: MemberOptions) {
  const parts = await openGroup(options)
  const secrets = await readSecrets(options.secret ?? "")
  const risk = new WorkerRisk({ ...parts, size: 50_000, gate: false, now: parts.context.now })
  return async (signal: AbortSignal): Promise<Partial<MemberResult>> => {
    const end = new AbortController()
    const cores = new Map<number, StreamCore>()
    const times: number[] = []
    const restored = { waiting: 0, pairs: 0, seconds: 0 }
    const { partitions, until } = options
    const sum = (of: (core: StreamCore) => number) => [...cores.values()].reduce((total, core) => total + of(core), 0)
    const worker = {
      ...parts,
      ...{ secrets, risk },
      meter: {
        opened: (_: unknown, client: MeasuredClient) => {
          client.transacted = (milliseconds: number) => times.push(milliseconds)
        },
        restored: (_: unknown, found: typeof restored) => {
          restored.waiting += found.waiting
          restored.pairs += found.pairs
          restored.seconds = Math.max(restored.seconds, found.seconds)
        },
      },
      seen: ({ partition }: { partition: number }, { core }: { core: StreamCore }) => {
        cores.set(partition, core)
        const isOpen = cores.size === partitions.length
        if (until !== null && isOpen && sum(({ totals }) => totals.lines ?? 0) >= until) end.abort()
      },
    }
    const both = AbortSignal.any([signal, end.signal])
    const { classified: topic } = namesOf(options.group, parts.plans.current.epoch)
    await Promise.all(partitions.map((partition) => swapInPartition(worker, { topic, partition }, both)))
    return {
      taken: Object.fromEntries([...cores].map(([partition, { totals }]) => [partition, totals.lines ?? 0])),
      passed: sum(({ nextRelease }) => nextRelease),
      waiting: sum(({ held }) => held),
      cells: sum(({ totals }) => totals.cells ?? 0),
      restored,
      transactions: summary(times),
    }
  }
}

function summary(milliseconds: number[]): MemberResult["transactions"] {
  const sorted = milliseconds.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) }
}
