import type { Command } from "commander"
import { Type } from "#typebox"
import { schemaName } from "../../../app/answers/versions.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import { openProfiles, type Profiles, type TopicCount } from "../../../stream/store/profiles.ts"
import { taxonomyFingerprint } from "../../../taxonomy/fingerprint.ts"
import { openTaxonomy } from "../../../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../../../taxonomy/taxonomy.ts"
import { commonFlags } from "../../common-flags.ts"
import { defineCommand } from "../../define-command.ts"
import { required } from "../../flags.ts"
import { emptyExit } from "../../released-text.ts"
import type { Session } from "../../session.ts"
import { taxonomyFlags } from "../taxonomy/flags.ts"
import { storeFlag } from "./flags.ts"
import { publishFlags, publishNow } from "./publish-profiles.ts"
import { followCommand } from "./workers/follow.ts"

const flags = Type.Object({
  store: storeFlag,
  ...taxonomyFlags.properties,
  k: Type.Integer({
    default: 10,
    minimum: 1,
    description: "leave out topics of fewer users; publish: of fewer users in a profile",
  }),
  json: commonFlags.properties.json,
  allCategories: Type.Boolean({ description: "leave out nothing (private)" }),
  ...publishFlags.properties,
})

/** `stream profiles USER|export|publish --store DIR`, and for a group of workers `stream profiles follow GROUP` */
export function profilesCommand(): Command {
  // Flags after `follow` belong to it.
  return keptProfiles().enablePositionalOptions().addCommand(followCommand())
}

function keptProfiles(): Command {
  return defineCommand({
    name: "profiles",
    summary: "show or publish profiles: what was shown under each user (private), or profiles to hand out (publish)",
    argument: {
      syntax: "<user|export|publish>",
      description: "a user of the log, export for all of them, or publish for a release of shared profiles",
    },
    flags,
    exits: emptyExit,
    help: [
      "The stream may run meanwhile. A profile counts what was shown under a user, not what the user searched for.",
      "publish groups users with similar profiles. It writes what was shown since it last ran.",
      "See docs/methods/profiles.md.",
      "The HTTP endpoint of the stream serves the latest release of profiles as GET /profiles.",
    ].join("\n"),
    async run(session, given, [who = ""]) {
      const store = required(given.store, "store")
      const profiles = await openProfiles(store)
      try {
        const taxonomy = await openTaxonomy(
          given.taxonomy,
          given.cache === undefined ? {} : { cache: given.cache },
          session.context,
        )
        if (taxonomyFingerprint(taxonomy) !== profiles.facts.taxonomy)
          throw new QueryveilError(
            "store-mismatch",
            "The store was started with another taxonomy. Give that one with --taxonomy.",
            {
              flag: "--taxonomy",
            },
          )
        if (profiles.from > 0)
          session.warn(`Profiles count what was shown from release ${profiles.from} on. Earlier counts are lost.`)
        if (profiles.lost > 0)
          session.warn(`Profiles lack up to ${profiles.lost} releases that were deleted before they were counted.`)
        if (who === "publish") return await publishNow({ session, store, taxonomy, profiles, given })
        const shown = await topicsShown(profiles, { k: given.k ?? 10, all: given.allCategories ?? false })
        if (who === "export") await exportAll(profiles, { session, taxonomy, shown, json: given.json ?? false })
        else await showOne(who, { profiles, session, taxonomy, shown })
        return 0
      } finally {
        await profiles.close()
      }
    },
  })
}

/** Returns a test whether a topic has enough users to be shown. */
async function topicsShown(
  profiles: Profiles,
  { k, all }: { k: number; all: boolean },
): Promise<(topic: TopicCount) => boolean> {
  if (all) return () => true
  const users = new Map<number, number>()
  for await (const { counts } of profiles.all())
    for (const { node } of counts) users.set(node, (users.get(node) ?? 0) + 1)
  return ({ node }) => (users.get(node) ?? 0) >= k
}

interface Showing {
  session: Session
  taxonomy: Taxonomy
  shown(topic: TopicCount): boolean
}

async function showOne(
  user: string,
  { profiles, session, taxonomy, shown }: Showing & { profiles: Profiles },
): Promise<void> {
  const { releases } = profiles
  let counts: TopicCount[] = []
  for await (const one of profiles.all()) if (one.user === user) counts = one.counts
  if (counts.length === 0)
    throw new QueryveilError("unknown-name", `Nothing was shown under this user, as of release ${releases}.`)
  const topics = counts.filter(shown).map(({ node, count }) => ({ path: taxonomy.path(node), count }))
  session.answer("stream-profile", { releases, topics, leftOut: counts.length - topics.length })
  session.say(["path\tcount", ...topics.map(({ path, count }) => `${path}\t${count}`)].join("\n"))
  session.note(`as of release ${releases}; ${counts.length - topics.length} topics of few users left out`)
}

/** Writes a line for each user and topic, or in JSON one for each user. Never holds all of them at once. */
async function exportAll(
  profiles: Profiles,
  { session, taxonomy, shown, json }: Showing & { json: boolean },
): Promise<void> {
  const { releases } = profiles
  let leftOut = 0
  const head = { schema: schemaName("stream-profiles-export"), releases }
  let block = json ? `${JSON.stringify(head)}\n` : "user\tpath\tcount\n"
  for await (const { user: name, counts } of profiles.all()) {
    const topics = counts.filter(shown).map(({ node, count }) => ({ path: taxonomy.path(node), count }))
    leftOut += counts.length - topics.length
    if (topics.length === 0) continue
    block += json
      ? `${JSON.stringify({ user: name, topics })}\n`
      : topics.map(({ path, count }) => `${name}\t${path}\t${count}\n`).join("")
    if (block.length < 1 << 16) continue
    await session.write(block)
    block = ""
  }
  await session.write(block)
  session.note(`as of release ${releases}; ${leftOut} counts of topics with few users left out`)
}
