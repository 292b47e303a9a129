import { Type } from "#typebox"
import { QueryveilError } from "../../../../kernels/error.ts"
import { tableOf } from "../../../../kernels/table.ts"
import { packageVersion } from "../../../../release/package-version.ts"
import { call, endCalls } from "../../../../stream/kafka/kafka-library.ts"
import { KafkaLink } from "../../../../stream/kafka/kafka-link.ts"
import { FollowedProfiles } from "../../../../stream/store/followed-profiles.ts"
import { type FollowParts, ReleaseFollower } from "../../../../stream/workers/follow-releases.ts"
import { PlanWatch } from "../../../../stream/workers/plan-topic.ts"
import { WorkerMeter } from "../../../../stream/workers/worker-meter.ts"
import { namesOf, partitionOfTopics, type WorkerPlan } from "../../../../stream/workers/worker-plan.ts"
import { openTaxonomy } from "../../../../taxonomy/open-taxonomy.ts"
import { defineCommand } from "../../../define-command.ts"
import { type Given, required } from "../../../flags.ts"
import { textTable } from "../../../print.ts"
import type { Session } from "../../../session.ts"
import { taxonomyFlags } from "../../taxonomy/flags.ts"
import { type AdminPlace, adminFlags, adminPlace, withFigures } from "./admin.ts"
import { endWorker, groupArgument, parseGroup, speechOf } from "./group.ts"

const flags = Type.Object({
  store: Type.Optional(Type.String({ placeholder: "dir", description: "keep the profiles in this folder (private)" })),
  checkpoint: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 86_400,
    placeholder: "seconds",
    description: "bring the profiles in the store up to date this often",
  }),
  once: Type.Boolean({ default: false, description: "end when everything that there is was counted" }),
  ...taxonomyFlags.properties,
  ...adminFlags.properties,
})

/** `stream profiles follow GROUP --store DIR` */
export function followCommand() {
  return defineCommand({
    name: "follow",
    summary: "keep profiles from what a group of workers releases",
    argument: groupArgument,
    flags,
    help: [
      "The group must show lasting names and categories: stream topics create --users keep --category.",
      "It ends at SIGINT or SIGTERM. After a crash it goes on where its store ends.",
      "See docs/workers.md.",
    ].join("\n"),
    run: (session, given, [group = ""]) => followGroup(session, given, group),
  })
}

async function followGroup(session: Session, given: Given<typeof flags>, group: string): Promise<number> {
  const place = parseGroup(group)
  const store = required(given.store, "store")
  const admin = await adminPlace(given)
  const stop = given.once === true ? ("end" as const) : ("never" as const)
  const released = { ...place, topic: namesOf(place.topic, 0).released, stop }
  const link = await KafkaLink.open(released, speechOf(session))
  const plans = await PlanWatch.require(link, place.topic)
  try {
    const { current } = plans
    refuseWithoutUsers(place.topic, current)
    const cache = given.cache === undefined ? {} : { cache: given.cache }
    const taxonomy = await openTaxonomy(given.taxonomy ?? "wordnet", cache, session.context)
    partitionOfTopics(current, taxonomy) // refuses another taxonomy
    const [check = ""] = current.secretChecks // later secrets are of the same group
    const followed = { name: place.topic, check, taxonomy: current.taxonomy }
    const profiles = await FollowedProfiles.open(store, followed)
    try {
      const parts = { place: released, link, plans, taxonomy, profiles, checkpoint: given.checkpoint ?? 10 }
      await follow(session, parts, { group: place.topic, admin })
    } finally {
      await profiles.close()
    }
  } finally {
    await plans.close()
  }
  await endWorker()
  return 0
}

async function follow(
  session: Session,
  parts: Omit<FollowParts, "meter" | "warn" | "note">,
  { group, admin }: { group: string; admin: AdminPlace | undefined },
): Promise<void> {
  const { link, plans, taxonomy, profiles, place } = parts
  const { context } = session
  const speech = speechOf(session)
  const before = profiles.soFar.releases
  const meter = new WorkerMeter({
    ...{ role: "profiles", group, version: packageVersion(), now: context.now, taxonomy },
    partitionsOfGroup: () => follower.partitions.length,
    plan: () => plans.current.epoch,
  })
  const consumer = await link.consumer(`${group}.profiles`, "read_committed")
  let follower: ReleaseFollower
  try {
    follower = await ReleaseFollower.open({ ...parts, ...speech, meter }, consumer)
    speech.note(`counting ${place.topic} from release ${before} on`)
    const shown = { session, link, group, figures: () => meter.figures(follower.partitions) }
    await withFigures(admin, shown, () => follower.run(context.signal))
  } finally {
    await endCalls([call((done) => consumer.disconnect(done))])
  }
  const { releases, lost, lag } = follower
  const answer = { group, plan: plans.current.epoch, releases, counted: releases - before, lost, lag }
  const rows = Object.entries({ "counted now": answer.counted, "counted in all": releases, behind: lag, lost })
  const text = textTable(tableOf(["", "releases"], rows))
  session.conclude("stream-profiles-follow", answer, { text, toStdout: true })
}

/** Refuses a group whose releases do not say what was shown under each user. */
function refuseWithoutUsers(group: string, { settings: { users, category } }: WorkerPlan): void {
  const lasts = users === "keep" || users === "pseudonym"
  if (lasts && category === true) return
  const lacks = [
    ...(lasts ? [] : [`no names of users that last (--users ${users})`]),
    ...(category === true ? [] : ["no categories"]),
  ]
  throw new QueryveilError(
    "option-value",
    [
      `The group of workers ${group} shows ${lacks.join(" and ")}, so its releases give no profiles of users.`,
      "Create a group with --users keep --category (stream topics create), whose releases only you can read.",
    ].join(" "),
  )
}
