import { Command } from "commander"
import { Type } from "#typebox"
import { logOptions } from "../../../../app/options.ts"
import { KafkaLink } from "../../../../stream/kafka/kafka-link.ts"
import { completeLiveOptions, liveOptions, outputFormats } from "../../../../stream/live/options.ts"
import type { StreamSettings } from "../../../../stream/live/settings.ts"
import { beginInput } from "../../../../stream/workers/begin-input.ts"
import { changeGroup } from "../../../../stream/workers/change-group.ts"
import { createTopics } from "../../../../stream/workers/create-topics.ts"
import { readOrDrawSecrets } from "../../../../stream/workers/secret-file.ts"
import { checksOf, type WorkerPlan } from "../../../../stream/workers/worker-plan.ts"
import { findTopics } from "../../../../swapper/categories.ts"
import { taxonomyFingerprint } from "../../../../taxonomy/fingerprint.ts"
import { openTaxonomy } from "../../../../taxonomy/open-taxonomy.ts"
import { defineCommand } from "../../../define-command.ts"
import { readFileFlags } from "../../../file-flags.ts"
import { type Given, required } from "../../../flags.ts"
import type { Session } from "../../../session.ts"
import { groupArgument, parseGroup, secretFlag, speechOf } from "./group.ts"
import { replanCommand } from "./replan.ts"
import { reportTopics } from "./report-topics.ts"
import { partitionsFlag, shareCategories, weightsFlag } from "./share-categories.ts"

const { k, depth, backlog, cellTexts, repeats, remember, scrub, users, urls, time, category } = liveOptions.properties
const { sensitiveCategories, taxonomy, classifier, checkpoint } = liveOptions.properties
const settingFlags = { k, depth, backlog, cellTexts, repeats, remember, scrub, users, urls, time, category }
const moreFlags = { sensitiveCategories, taxonomy, classifier, checkpoint }

const flags = Type.Object({
  input: Type.Optional(Type.String({ placeholder: "topic", description: "read searches from this topic" })),
  start: Type.Enum(["beginning", "end"], {
    default: "beginning",
    description: "begin with the oldest search of the topic, or with those that arrive from now on",
  }),
  secret: secretFlag,
  partitions: Type.Integer({ ...partitionsFlag, default: 12 }),
  weights: weightsFlag,
  replicas: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: "keep this many copies (default 3, or one per broker)" }),
  ),
  forgetHours: Type.Integer({
    default: 24,
    minimum: 1,
    maximum: 8760,
    placeholder: "hours",
    description: "delete what was released from the changelog within this time",
  }),
  keepHours: Type.Integer({
    default: 168,
    minimum: 24,
    maximum: 8760,
    placeholder: "hours",
    description: "keep classified searches for this time; swappers that stop for longer lose some",
  }),
  to: Type.Enum([...outputFormats], { default: "jsonl", description: "write releases in this format" }),
  ...settingFlags,
  ...moreFlags,
  ...logOptions.properties,
})

/** `stream topics create | replan GROUP` */
export function topicsCommand() {
  return new Command("topics")
    .description("prepare topics for a group of workers")
    .addCommand(createCommand())
    .addCommand(replanCommand())
}

function createCommand() {
  return defineCommand({
    name: "create",
    summary: "create the topics of a group of workers, and write the plan that they share",
    argument: groupArgument,
    flags,
    help: "If the file of --secret does not exist, a secret is drawn and written there. See docs/workers.md.",
    run: (session, given, [group = ""]) => createForGroup(session, given, group),
  })
}

async function createForGroup(session: Session, given: Given<typeof flags>, group: string): Promise<number> {
  const place = parseGroup(group)
  const input = required(given.input, "input")
  const path = required(given.secret, "secret")
  const { partitions = 12, forgetHours = 24, keepHours = 168, to = "jsonl" } = given
  const known = { ...settingFlags, ...moreFlags }
  const chosen = Object.fromEntries(Object.entries(given).filter(([key]) => key in known))
  const options = completeLiveOptions(await readFileFlags(liveOptions, chosen))
  const tree = await openTaxonomy(options.taxonomy, {}, session.context)
  const settings: StreamSettings = {
    k: options.k,
    depth: options.depth,
    mode: "strict",
    users: options.users ?? "cell",
    urls: options.urls,
    time: options.time,
    category: options.category,
    to,
    numbered: true,
    repeats: options.repeats ?? "once",
    scrub: options.scrub,
    sensitive: findTopics(tree, options.sensitiveCategories ?? "")
      .map((topic) => tree.path(topic))
      .sort(),
    gated: [],
  }
  const { table, largest } = await shareCategories(session, { given, tree, settings, partitions })
  const { secrets, isNew } = await readOrDrawSecrets(path, session.context.random)
  if (isNew) session.note(`A secret was drawn: ${path}. Give it to every swapper, and to nobody else.`)
  const plan: WorkerPlan = {
    version: 1,
    epoch: 1,
    input,
    partitions,
    settings,
    backlog: options.backlog,
    distinctTexts: options.cellTexts === "distinct",
    remember: options.remember,
    checkpoint: options.checkpoint,
    keeping: { replicas: given.replicas, forgetHours, keepHours },
    taxonomy: taxonomyFingerprint(tree),
    secretChecks: checksOf(secrets),
    table,
  }
  const link = await KafkaLink.open(place, speechOf(session))
  const topics = await changeGroup(link, place.topic, async (write) => {
    const begun = await beginInput(link, place.topic, { input, start: given.start ?? "beginning" })
    return createTopics(link, place.topic, { plan, write: (messages) => write([...messages, ...begun]) })
  })
  reportTopics(session, { group: place.topic, plan, largest, topics })
  return 0
}
