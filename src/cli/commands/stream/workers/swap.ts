import { Type } from "#typebox"
import { createContext } from "../../../../kernels/context.ts"
import { tableOf } from "../../../../kernels/table.ts"
import { packageVersion } from "../../../../release/package-version.ts"
import { KafkaLink } from "../../../../stream/kafka/kafka-link.ts"
import { countsUnder } from "../../../../stream/live/gather-figures.ts"
import { liveOptions } from "../../../../stream/live/options.ts"
import type { PartitionPlace } from "../../../../stream/workers/partition-client.ts"
import { PartitionLeases } from "../../../../stream/workers/partition-leases.ts"
import { PlanWatch } from "../../../../stream/workers/plan-topic.ts"
import { readSecrets } from "../../../../stream/workers/secret-file.ts"
import type { SwapPartition } from "../../../../stream/workers/swap-partition.ts"
import { swapInPartition } from "../../../../stream/workers/swap-worker.ts"
import { WorkerMeter } from "../../../../stream/workers/worker-meter.ts"
import { namesOf, partitionOfTopics, requireSecrets } from "../../../../stream/workers/worker-plan.ts"
import { WorkerRisk } from "../../../../stream/workers/worker-risk.ts"
import { openTaxonomy } from "../../../../taxonomy/open-taxonomy.ts"
import { defineCommand } from "../../../define-command.ts"
import { type Given, required } from "../../../flags.ts"
import { textTable } from "../../../print.ts"
import type { Session } from "../../../session.ts"
import { taxonomyFlags } from "../../taxonomy/flags.ts"
import { adminFlags, adminPlace, withFigures } from "./admin.ts"
import { endWorker, groupArgument, parseGroup, secretFlag, sessionFlag, speechOf } from "./group.ts"

const { gate, riskWindow } = liveOptions.properties

const flags = Type.Object({
  ...taxonomyFlags.properties,
  secret: secretFlag,
  sessionTimeout: sessionFlag,
  ...adminFlags.properties,
  gate,
  riskWindow,
})

/** `stream swap GROUP` */
export function swapWorkerCommand() {
  return defineCommand({
    name: "swap",
    summary: "work as a swapper of a group: swap users among classified searches, and release them",
    argument: groupArgument,
    flags,
    help: [
      "Any number of swappers may run, at most one for each partition has work.",
      "What waits is in the group's topics: another swapper goes on where this one stops. See docs/workers.md.",
    ].join("\n"),
    run: (session, given, [group = ""]) => runSwapper(session, given, group),
  })
}

/** What a partition has done in its whole life, as of its last transaction. */
interface PartitionResult extends PartitionPlace {
  released: number
  waiting: number
  cells: number
  withheld: Record<string, number>
}

const resultOf = ({ released, core: { held, totals } }: SwapPartition) => {
  return {
    ...{ released, waiting: held, cells: totals.cells ?? 0 },
    withheld: countsUnder(totals, "withheld "),
  }
}

async function runSwapper(session: Session, given: Given<typeof flags>, group: string): Promise<number> {
  const place = parseGroup(group)
  const speech = speechOf(session)
  const { signal } = session.context
  const context = createContext({ workers: session.context.workers, report: session.context.report })
  const secrets = await readSecrets(required(given.secret, "secret"))
  const admin = await adminPlace(given)
  const link = await KafkaLink.open(place, speech)
  const plans = await PlanWatch.require(link, place.topic)
  /** By partition, after its last transaction. */
  const held = new Map<string, PartitionResult>()
  try {
    requireSecrets(plans.current, secrets)
    const cache = given.cache === undefined ? {} : { cache: given.cache }
    const taxonomy = await openTaxonomy(given.taxonomy ?? "wordnet", cache, context)
    partitionOfTopics(plans.current, taxonomy) // refuses another taxonomy
    const seen = (at: PartitionPlace, swap: SwapPartition) => {
      const key = `${at.topic} ${at.partition}`
      if (!held.has(key)) speech.note(`swapping in ${at.topic}, partition ${at.partition}`)
      held.set(key, { ...at, ...resultOf(swap) })
      meter.swapped(at, swap)
    }
    const moved = (at: PartitionPlace) => {
      const last = held.get(`${at.topic} ${at.partition}`)
      if (last !== undefined) last.waiting = 0
      meter.moved(at)
    }
    const risk = new WorkerRisk({
      ...{ link, group: place.topic, plans, taxonomy, warn: speech.warn, now: context.now },
      ...{ size: given.riskWindow ?? 50_000, gate: given.gate ?? false },
    })
    const meter = new WorkerMeter({
      ...{ role: "swap", group: place.topic, version: packageVersion(), now: context.now, taxonomy },
      ...{ partitionsOfGroup: () => plans.current.partitions, plan: () => plans.current.epoch },
      risk: () => risk.latest,
    })
    const parts = {
      link,
      group: place.topic,
      plans,
      taxonomy,
      secrets,
      risk,
      meter,
      context,
      seen,
      moved,
      warn: speech.warn,
    }
    const work = meter.measure((at, until) => swapInPartition(parts, at, until))
    const leases = new PartitionLeases(work, speech)
    const topics = async () => {
      await plans.look()
      const { epoch } = plans.current
      const epochs = epoch > plans.first.epoch ? [epoch - 1, epoch] : [epoch]
      return epochs.map((each) => namesOf(place.topic, each).classified)
    }
    const silence = given.sessionTimeout ?? 15_000
    try {
      const running = { group: namesOf(place.topic, 0).swap, session: silence, signal, topics }
      const figures = () => meter.figures(leases.partitions)
      const shown = { session, link, group: place.topic, figures }
      await withFigures(admin, shown, () => leases.run(link, running))
    } finally {
      await risk.close()
    }
  } finally {
    await plans.close()
  }
  const partitions = [...held.values()]
  const rows = partitions.map(({ topic, partition, released, waiting, withheld, cells }) => {
    return [topic, partition, released, waiting, Object.values(withheld).reduce((sum, each) => sum + each, 0), cells]
  })
  const text = textTable(tableOf(["topic", "partition", "released", "still waiting", "withheld", "cells"], rows))
  session.conclude("stream-swap", { partitions }, { text, toStdout: true })
  await endWorker()
  return 0
}
