import { randomBytes } from "node:crypto"
import { mkdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { writeFileWhole } from "../files/write-file.ts"
import { type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { type Table, tableOfColumns } from "../kernels/table.ts"
import type { Unit } from "../log/search-log.ts"
import { composeProfiles } from "../methods/profiles/compose-profiles.ts"
import { completeShownOptions, type ShownProfileOptions } from "../methods/profiles/options.ts"
import { UserTopicsBuilder } from "../methods/profiles/topic-counts.ts"
import type { ProfilesGuarantee } from "../methods/profiles-guarantee.ts"
import { cutBySettings, type StreamSettings } from "../stream/live/settings.ts"
import type { Profiles, TopicCount } from "../stream/store/profiles.ts"
import { cutTopics, findTopics } from "../swapper/categories.ts"
import { builtIn } from "../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { formatKinds, parseKinds } from "../text/identifiers/kinds.ts"
import { ownPlace, type TablesDraft } from "./anonymize.ts"
import { releaseVersion } from "./manifest.ts"

/** Options for publishing the profiles of a stream. */
export interface PublishOptions extends Partial<ShownProfileOptions> {
  /** As given by the caller. Only the audit names its file. */
  taxonomy?: string | undefined
  /** Counts at the last publication, by user. What was shown before is left out. */
  since?: ReadonlyMap<string, readonly TopicCount[]> | undefined
  /** What the stream's user column distinguishes (default user). */
  unit?: Unit | undefined
}

/** A draft of shared profiles, and all counts, from which the next period starts. */
export interface Publication {
  draft: TablesDraft<ProfilesGuarantee>
  counts: Map<string, readonly TopicCount[]>
}

/**
 * Groups the users of a stream by what was shown under them, and makes a release with one profile for each group. The
 * stream swaps users within topics of its depth. So a topic at that depth or above that is shown under a user is one
 * that the user searched for. Deeper topics are refused.
 */
export async function publishProfiles(
  profiles: Profiles,
  options: PublishOptions,
  { taxonomy, context }: { taxonomy: Taxonomy; context: RunContext },
): Promise<Publication> {
  const settings = readSettings(profiles.settings)
  const { since = new Map(), unit = "user", taxonomy: place = builtIn, sensitiveCategories = "", ...given } = options
  const shown = completeShownOptions(given)
  if (shown.depth > settings.depth)
    throw new QueryveilError(
      "option-value",
      [
        `--depth ${shown.depth}: the stream swaps users within topics of depth ${settings.depth}.`,
        "Below that, the topics are those of other people.",
      ].join(" "),
      { flag: "--depth" },
    )
  const sensitive = [
    ...findTopics(taxonomy, sensitiveCategories),
    ...settings.sensitive.map((path) => taxonomy.find(path)),
  ]
  const swapped = cutBySettings(taxonomy, settings)
  const cut = cutTopics(taxonomy, { depth: shown.depth, sensitive })
  const builder = new UserTopicsBuilder(swapped.map((category) => cut[category]))
  const counts = new Map<string, readonly TopicCount[]>()
  const names: string[] = []
  const fresh: TopicCount[][] = []
  for await (const { user, counts: all } of profiles.all()) {
    counts.set(user, all)
    const added = subtract(all, since.get(user) ?? [])
    names.push(user)
    fresh.push(added)
    builder.add(added)
  }
  stopIfCancelled(context)
  const subject = { topics: builder.build(), nameOf: (user: number) => names[user] ?? "", taxonomy, counted: unit }
  const made = await composeProfiles({ ...subject, source: "stream" }, shown, context)
  if (made.guarantee.model !== "profiles") throw new QueryveilError("internal", "Unexpected guarantee.")
  const { k, groupSize, depth, step } = shown
  const draft: Publication["draft"] = {
    kind: "tables",
    manifest: {
      queryveil: releaseVersion,
      id: randomBytes(16).toString("hex"),
      method: "profiles",
      parameters: {
        k,
        groupSize,
        depth,
        step,
        taxonomy: place === builtIn ? builtIn : ownPlace,
        scrub: formatKinds(parseKinds(settings.scrub)),
      },
      guarantee: made.guarantee,
      seeded: context.random.seeded,
      created: new Date(context.now()).toISOString(),
    },
    tables: made.tables,
    withheld: made.withheld,
    audit: { ...made.audit, counts: countsTable(names, fresh, taxonomy) },
    places: place === builtIn ? {} : { taxonomy: place },
    warnings: [...(made.warnings ?? [])],
  }
  return { draft, counts }
}

function readSettings(text: string): StreamSettings {
  if (text === "") throw new QueryveilError("unknown-name", "The stream has released nothing yet.")
  return JSON.parse(text)
}

function subtract(all: readonly TopicCount[], before: readonly TopicCount[]): TopicCount[] {
  const earlier = new Map(before.map(({ node, count }) => [node, count]))
  return all
    .map(({ node, count }) => ({ node, count: count - (earlier.get(node) ?? 0) }))
    .filter(({ count }) => count > 0)
}

/** What was counted for each user, at full depth. */
function countsTable(names: readonly string[], fresh: readonly TopicCount[][], taxonomy: Taxonomy): Table {
  const rows = names.flatMap((user, i) => (fresh[i] ?? []).map(({ node, count }) => [user, taxonomy.path(node), count]))
  return { columns: ["user", "topic", "count"], rows: rows.length, cell: (row, column) => rows[row]?.[column] ?? "" }
}

const publishedFolder = "published"
const profilesName = "profiles.json"
const countsName = "counts.json"

/** Where a store keeps the last published profiles, as its endpoint serves them. */
export const publishedPath = (store: string) => join(store, publishedFolder, profilesName)

/**
 * Counts at the last publication. Undefined if there was none, or if the profiles were lost and restarted since. They
 * then restart at the last checkpoint before the loss, and what left between it and a later publication is published
 * twice.
 */
export async function readPublished(
  store: string,
  { from }: Pick<Profiles, "from">,
): Promise<Map<string, TopicCount[]> | undefined> {
  const text = await readFile(join(store, publishedFolder, countsName), "utf8").catch(() => undefined)
  if (text === undefined) return undefined
  const last: { from: number; counts: [string, [number, number][]][] } = JSON.parse(text)
  if (last.from < from) return undefined
  if (last.from > from)
    throw new QueryveilError(
      "option-value",
      [
        "Lost profiles were rebuilt since the last publication,",
        "so new searches cannot be distinguished from published ones.",
        "Give --from-start to publish all that was ever shown.",
      ].join(" "),
      { flag: "--from-start" },
    )
  return new Map(last.counts.map(([user, topics]) => [user, topics.map(([node, count]) => ({ node, count }))]))
}

/** Keeps what was published in the store, for the endpoint and as the start of the next period. */
export async function keepPublished(
  store: string,
  { draft, counts }: Publication,
  { from }: Pick<Profiles, "from">,
): Promise<void> {
  const { profiles } = draft.tables
  const table = profiles === undefined ? undefined : tableOfColumns(profiles)
  const rows = Array.from({ length: table?.rows ?? 0 }, (_, row) =>
    Object.fromEntries((table?.columns ?? []).map((name, column) => [name, table?.cell(row, column)])),
  )
  const pairs = [...counts].map(([user, topics]) => [user, topics.map(({ node, count }) => [node, count])])
  const folder = join(store, publishedFolder)
  const files = { [profilesName]: { release: draft.manifest, profiles: rows }, [countsName]: { from, counts: pairs } }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [name, value] of Object.entries(files))
    await writeFileWhole(join(folder, name), `${JSON.stringify(value)}\n`, { mode: 0o600 })
}
