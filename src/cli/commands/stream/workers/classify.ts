import { Type } from "#typebox"
import { createContext } from "../../../../kernels/context.ts"
import { tableOf } from "../../../../kernels/table.ts"
import { readOptions } from "../../../../log/read-log.ts"
import { packageVersion } from "../../../../release/package-version.ts"
import { KafkaLink } from "../../../../stream/kafka/kafka-link.ts"
import { openPreparation } from "../../../../stream/live/prepare.ts"
import { ClassifiedTotals, classifyPartition } from "../../../../stream/workers/classify-worker.ts"
import { PartitionLeases } from "../../../../stream/workers/partition-leases.ts"
import { PlanWatch } from "../../../../stream/workers/plan-topic.ts"
import { WorkerMeter } from "../../../../stream/workers/worker-meter.ts"
import { namesOf, partitionOfTopics } from "../../../../stream/workers/worker-plan.ts"
import { classifierOption, openClassifier } from "../../../../taxonomy/classify/open-classifier.ts"
import { openTaxonomy } from "../../../../taxonomy/open-taxonomy.ts"
import { parseKinds } from "../../../../text/identifiers/kinds.ts"
import { defineCommand } from "../../../define-command.ts"
import type { Given } from "../../../flags.ts"
import { textTable } from "../../../print.ts"
import type { Session } from "../../../session.ts"
import { taxonomyFlags } from "../../taxonomy/flags.ts"
import { lineChoiceOf } from "../line-choice.ts"
import { adminFlags, adminPlace, withFigures } from "./admin.ts"
import { endWorker, groupArgument, parseGroup, sessionFlag, speechOf } from "./group.ts"

const { format, columns, jsonPath, unit } = readOptions.properties

const flags = Type.Object({
  ...taxonomyFlags.properties,
  ...classifierOption.properties,
  sessionTimeout: sessionFlag,
  ...adminFlags.properties,
  format,
  columns,
  jsonPath,
  unit,
})

/** `stream classify GROUP` */
export function classifyWorkerCommand() {
  return defineCommand({
    name: "classify",
    summary: "work as a classifier of a group: withhold identifiers, find topics, pass searches on to swappers",
    argument: groupArgument,
    flags,
    help: "Any number of classifiers may run. It keeps nothing, and ends at SIGINT or SIGTERM. See docs/workers.md.",
    run: (session, given, [group = ""]) => runClassifier(session, given, group),
  })
}

async function runClassifier(session: Session, given: Given<typeof flags>, group: string): Promise<number> {
  const place = parseGroup(group)
  const speech = speechOf(session)
  const { signal } = session.context
  const context = createContext({ workers: session.context.workers, report: session.context.report })
  const admin = await adminPlace(given)
  const link = await KafkaLink.open(place, speech)
  const totals = new ClassifiedTotals()
  const plans = await PlanWatch.require(link, place.topic)
  try {
    const { settings, input } = plans.current
    const cache = given.cache === undefined ? {} : { cache: given.cache }
    const taxonomy = await openTaxonomy(given.taxonomy ?? "wordnet", cache, context)
    partitionOfTopics(plans.current, taxonomy) // refuses another taxonomy
    const classifier = await openClassifier(given.classifier, { taxonomy, warn: speech.warn }, context)
    const ownTopics = given.classifier === undefined
    const preparation = await openPreparation({ kinds: parseKinds(settings.scrub), classifier, ownTopics }, context)
    const choice = lineChoiceOf(given)
    const inputs = await plans.countInputs(link)
    const meter = new WorkerMeter({
      ...{ role: "classify", group: place.topic, version: packageVersion(), now: context.now },
      ...{ partitionsOfGroup: () => inputs, plan: () => plans.current.epoch, taxonomy, classifier: totals },
    })
    const parts = {
      ...{ link, group: place.topic, plans, taxonomy, preparation, choice, context, totals, meter, warn: speech.warn },
    }
    const work = meter.measure((at, until) => classifyPartition(parts, at, until))
    const leases = new PartitionLeases(work, speech)
    const topics = async () => {
      await plans.look()
      return [input]
    }
    try {
      speech.note(`classifying ${input}`)
      const silence = given.sessionTimeout ?? 15_000
      const running = { group: namesOf(place.topic, 0).classify, session: silence, signal, topics }
      const figures = () => meter.figures(leases.partitions)
      const shown = { session, link, group: place.topic, figures }
      await withFigures(admin, shown, () => leases.run(link, running))
    } finally {
      await preparation.close()
    }
  } finally {
    await plans.close()
  }
  const { messages, classified, rejected, withheld } = totals
  const rows = [
    ["messages", messages],
    ...Object.entries(rejected).map(([reason, count]) => [`  rejected: ${reason}`, count]),
    ...Object.entries(withheld).map(([reason, count]) => [`  withheld: ${reason}`, count]),
    ["classified", classified],
  ]
  const text = textTable(tableOf(["", "searches"], rows))
  session.conclude("stream-classify", { messages, classified, rejected, withheld }, { text, toStdout: true })
  await endWorker()
  return 0
}
