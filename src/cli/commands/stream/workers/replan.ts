import { Type } from "#typebox"
import { logOptions } from "../../../../app/options.ts"
import { KafkaLink } from "../../../../stream/kafka/kafka-link.ts"
import { changeGroup } from "../../../../stream/workers/change-group.ts"
import { PlanWatch } from "../../../../stream/workers/plan-topic.ts"
import { replan } from "../../../../stream/workers/replan.ts"
import { partitionOfTopics, type WorkerPlan } from "../../../../stream/workers/worker-plan.ts"
import { classifierOption } from "../../../../taxonomy/classify/open-classifier.ts"
import { openTaxonomy } from "../../../../taxonomy/open-taxonomy.ts"
import { defineCommand } from "../../../define-command.ts"
import type { Given } from "../../../flags.ts"
import type { Session } from "../../../session.ts"
import { taxonomyFlags } from "../../taxonomy/flags.ts"
import { groupArgument, parseGroup, speechOf } from "./group.ts"
import { reportTopics } from "./report-topics.ts"
import { partitionsFlag, shareCategories, weightsFlag } from "./share-categories.ts"

const flags = Type.Object({
  partitions: Type.Optional(Type.Integer(partitionsFlag)),
  weights: weightsFlag,
  depth: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 255, description: "swap users within topics of this level" }),
  ),
  ...taxonomyFlags.properties,
  ...classifierOption.properties,
  ...logOptions.properties,
})

/** `stream topics replan GROUP` */
export function replanCommand() {
  return defineCommand({
    name: "replan",
    summary: "share the categories of a running group anew: other partitions, weights or depth",
    argument: groupArgument,
    flags,
    help: [
      "Workers go on meanwhile. Each partition hands what waits over to the new ones once it has read everything",
      "that was sent to it. What is not given stays as it is. See docs/workers.md.",
    ].join("\n"),
    run: (session, given, [group = ""]) => replanGroup(session, given, group),
  })
}

async function replanGroup(session: Session, given: Given<typeof flags>, group: string): Promise<number> {
  const place = parseGroup(group)
  const link = await KafkaLink.open(place, speechOf(session))
  const cache = given.cache === undefined ? {} : { cache: given.cache }
  const tree = await openTaxonomy(given.taxonomy ?? "wordnet", cache, session.context)
  const { plan, topics, largest } = await changeGroup(link, place.topic, async (write) => {
    const current = await currentPlan(link, place.topic)
    partitionOfTopics(current, tree) // refuses another taxonomy
    const settings = { ...current.settings, depth: given.depth ?? current.settings.depth }
    const partitions = given.partitions ?? current.partitions
    const { table, largest } = await shareCategories(session, { given, tree, settings, partitions })
    return {
      ...(await replan(link, place.topic, { current, changes: { settings, partitions, table }, write })),
      largest,
    }
  })
  reportTopics(session, { group: place.topic, plan, largest, topics })
  return 0
}

async function currentPlan(link: KafkaLink, group: string): Promise<WorkerPlan> {
  const plans = await PlanWatch.require(link, group)
  await plans.close()
  return plans.current
}
