import { Type } from "#typebox"
import { QueryveilError } from "../../../../kernels/error.ts"
import { KafkaLink } from "../../../../stream/kafka/kafka-link.ts"
import { changeSettings } from "../../../../stream/live/change-settings.ts"
import type { StreamChange } from "../../../../stream/live/live-stream.ts"
import { changeGroup, plansInUse } from "../../../../stream/workers/change-group.ts"
import { encodeChange } from "../../../../stream/workers/classified-message.ts"
import { PlanWatch, planMessage } from "../../../../stream/workers/plan-topic.ts"
import { readSecrets, type WorkerSecrets } from "../../../../stream/workers/secret-file.ts"
import { checksOf, namesOf, partitionOfTopics, requireSecrets } from "../../../../stream/workers/worker-plan.ts"
import { openTaxonomy } from "../../../../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../../../../taxonomy/taxonomy.ts"
import { defineCommand } from "../../../define-command.ts"
import { taxonomyFlags } from "../../taxonomy/flags.ts"
import { groupArgument, parseGroup, speechOf } from "./group.ts"

const path = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { words: true, placeholder: "topic", description }))

const flags = Type.Object({
  k: Type.Optional(
    Type.Integer({ minimum: 2, maximum: 1_000_000, description: "hide the user of a search among this many others" }),
  ),
  withhold: path("release nothing of these topics from now on"),
  reopen: path("release these withheld topics again"),
  secret: Type.Optional(
    Type.String({ placeholder: "file", description: "deal cells under the last secret of this file (private)" }),
  ),
  ...taxonomyFlags.properties,
})

/** `stream change GROUP` */
export function changeCommand() {
  return defineCommand({
    name: "change",
    summary: "change the settings of a running group of workers",
    argument: groupArgument,
    flags,
    help: "The change is a message in every partition. Each takes it at its place among the searches.",
    async run(session, given, [group = ""]) {
      const place = parseGroup(group)
      const { k, withhold, reopen } = given
      const secrets = given.secret === undefined ? undefined : await readSecrets(given.secret)
      const change: StreamChange = {
        ...(k !== undefined && { k }),
        ...(withhold !== undefined && { withhold }),
        ...(reopen !== undefined && { reopen }),
        ...(secrets !== undefined && { secret: secrets.latest }),
      }
      if (Object.keys(change).length === 0)
        throw new QueryveilError("usage", "Nothing to change. Give -k, --withhold, --reopen or --secret.")
      const link = await KafkaLink.open(place, speechOf(session))
      const cache = given.cache === undefined ? {} : { cache: given.cache }
      const taxonomy = await openTaxonomy(given.taxonomy ?? "wordnet", cache, session.context)
      const partitions = await changeGroup(link, place.topic, async (write) => {
        const plans = await PlanWatch.require(link, place.topic)
        try {
          const { messages, sentTo } = await makeChange({ link, group: place.topic, plans, taxonomy, change, secrets })
          await write(messages)
          return sentTo
        } finally {
          await plans.close()
        }
      })
      const text = `The change was sent to ${partitions} partitions.`
      session.conclude("stream-change", { partitions }, { text, toStdout: true })
      return 0
    },
  })
}

interface Change {
  link: KafkaLink
  group: string
  plans: PlanWatch
  taxonomy: Taxonomy
  change: StreamChange
  secrets: WorkerSecrets | undefined
}

/** The messages of a change, and the number of partitions of the plan in force. */
async function makeChange({ link, group, plans, taxonomy, change, secrets }: Change) {
  const plan = plans.current
  if (secrets !== undefined) requireSecrets(plan, secrets)
  partitionOfTopics(plan, taxonomy) // refuses another taxonomy
  const settings = changeSettings(plan.settings, change, taxonomy) // refuses unknown topics
  const secretChecks = secrets === undefined ? plan.secretChecks : checksOf(secrets)
  const value = encodeChange({ change, secretChecks })
  const messages = (await plansInUse(link, group, plans)).flatMap(({ epoch, partitions }) => {
    const { classified: topic } = namesOf(group, epoch)
    return Array.from({ length: partitions }, (_, partition) => ({ topic, partition, value }))
  })
  return {
    messages: [...messages, planMessage(group, { ...plan, settings, secretChecks })],
    sentTo: plan.partitions,
  }
}
