import type { RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { findTopics } from "../../swapper/categories.ts"
import { openClassifier } from "../../taxonomy/classify/open-classifier.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { parseKinds } from "../../text/identifiers/kinds.ts"
import type { StreamStore } from "../store/store.ts"
import { mayChangeNames } from "./change-names.ts"
import type { LiveStream, StreamChange } from "./live-stream.ts"
import type { LiveOptions, OutputFormat } from "./options.ts"
import { openPreparation } from "./prepare.ts"
import { RunningStream } from "./running-stream.ts"
import { type StreamSettings, settingsFrom, settingsText } from "./settings.ts"
import { StreamCore } from "./stream-core.ts"
import type { StreamOutput } from "./transport.ts"
import { RiskWatch } from "./watch-risk.ts"

/** The parts that make up a stream. */
export interface LiveStreamParts {
  store: StreamStore
  output: StreamOutput
  taxonomy: Taxonomy
  to: OutputFormat
  /**
   * Paths of the categories, if the depth differs by branch, as `planBranches` finds them in a first period. `kept`:
   * the paths that the store has. Undefined: `depth` applies everywhere.
   */
  branches?: readonly string[] | "kept" | undefined
  /** True if the store has no room to write; the stream then waits. */
  isFull?: () => boolean
  /** Receives alarms and reports of what is withheld because of them. */
  warn?: (text: string) => void
}

/**
 * Opens the stream. Batches are read and classified on other threads, accepted in order by the core, journalled, and
 * released once the journal has them.
 *
 * What the journal has is also released after a crash, byte for byte; what it does not have was never released. See
 * docs/operations.md. The stream owns the store: the store is closed with the stream, and also if the stream cannot be
 * opened.
 */
export async function openLiveStream(
  options: LiveOptions,
  parts: LiveStreamParts,
  context: RunContext,
): Promise<LiveStream> {
  try {
    return await resumeStream(options, parts, context)
  } catch (error) {
    await parts.store.close()
    throw error
  }
}

async function resumeStream(options: LiveOptions, parts: LiveStreamParts, context: RunContext): Promise<LiveStream> {
  const { store, output, taxonomy } = parts
  const { boundary } = store.recovered
  const sensitive = findTopics(taxonomy, options.sensitiveCategories ?? "")
  const wanted = settingsOf(options, { ...parts, sensitive })
  const before = settingsFrom(boundary.settings)
  const classifier = await openClassifier(
    options.classifier,
    { taxonomy, ...(parts.warn === undefined ? {} : { warn: parts.warn }) },
    context,
  )
  const kinds = parseKinds(options.scrub)
  const ownTopics = options.classifier === undefined
  const preparation = await openPreparation({ kinds, classifier, ownTopics }, context)
  const risk = new RiskWatch({ size: options.riskWindow, pathOf: (category) => taxonomy.path(category) })
  const core = new StreamCore({
    taxonomy,
    settings: before ?? wanted,
    backlog: options.backlog,
    distinctTexts: options.cellTexts === "distinct",
    repeats: wanted.repeats,
    remember: options.remember,
    key: store.key,
    secrets: store.secrets,
    random: context.random,
    window: risk.window,
    now: context.now,
  })
  const { isFull = () => false, warn = () => {} } = parts
  const { gate } = options
  const stream = new RunningStream({ core, store, output, taxonomy, preparation, risk, gate, isFull, warn, context })
  await stream.recover((settings) =>
    refuseOtherShape(settings, options.users === undefined ? { ...wanted, users: settings.users } : wanted),
  )
  const { scrub } = wanted
  const names = changeNames(core, options.users)
  if (names.users !== undefined)
    warn(
      [
        `Names last shorter from release ${core.nextRelease} on: --users ${names.users}.`,
        `Before, it was --users ${core.settings.users}.`,
      ].join(" "),
    )
  if (core.settings.scrub !== scrub)
    warn(`--scrub is ${scrub} from now on. It was ${core.settings.scrub} when this store was last used.`)
  if (core.settings.sensitive.join("\n") !== wanted.sensitive.join("\n"))
    warn("--sensitive-categories names other topics than when this store was last used.")
  const cut = cutWanted(options, parts, core.settings)
  const change = { k: options.k, ...cut, scrub, sensitive: wanted.sensitive, ...names }
  const changed = { ...core.settings, ...change }
  if (settingsText(changed) !== settingsText(core.settings)) await stream.configure(change)
  return stream
}

/** The depth, or the branches and their deepest level. */
function cutWanted(
  { depth }: LiveOptions,
  { branches, taxonomy }: LiveStreamParts,
  held: StreamSettings,
): { depth: number; branches?: readonly string[] } {
  if (branches === undefined) return { depth }
  const paths = branches === "kept" ? held.branches : branches
  if (paths === undefined)
    throw new QueryveilError(
      "option-value",
      "--depth auto: this store has no first period yet. Give the log of one with --first-period.",
      { flag: "--first-period" },
    )
  const topics = paths.map((path) => taxonomy.find(path))
  if (topics.includes(-1))
    throw new QueryveilError(
      "option-value",
      "--first-period: the log has categories that are not in the taxonomy. Give the --taxonomy of the log.",
      { flag: "--taxonomy" },
    )
  return { depth: topics.reduce((most, topic) => Math.max(most, taxonomy.depth[topic]), 1), branches: paths }
}

/**
 * The change, if other names are wanted than the store has. If nothing was released yet, `shorterSince` is omitted,
 * because no names were shown.
 */
function changeNames({ settings, nextRelease }: StreamCore, users = settings.users): StreamChange {
  if (users === settings.users) return {}
  return nextRelease === 0 ? { users } : { users, shorterSince: nextRelease }
}

function settingsOf(
  options: LiveOptions,
  { to, output, taxonomy, sensitive }: LiveStreamParts & { sensitive: readonly number[] },
): StreamSettings {
  const { k, depth, mode, users = "cell", urls, scrub, repeats = mode === "strict" ? "once" : "keep" } = options
  return {
    k,
    depth,
    mode,
    users,
    urls,
    time: mode === "paper" ? "own" : options.time,
    category: options.category,
    to,
    numbered: !output.exact || output.isUnordered === true || to === "jsonl",
    repeats,
    scrub,
    sensitive: sensitive.map((topic) => taxonomy.path(topic)).sort(),
    gated: [],
  }
}

/** Refuses settings under which new releases would look different from earlier ones. */
function refuseOtherShape(before: StreamSettings, wanted: StreamSettings): void {
  const shape = ["mode", "users", "urls", "time", "category", "to", "numbered", "repeats"] as const
  const known = { category: false, ...before }
  const other = shape.find((key) =>
    key === "users" ? !mayChangeNames(before.users, wanted.users) : known[key] !== wanted[key],
  )
  if (other === undefined) return
  throw new QueryveilError(
    "store-settings",
    [
      `The releases of this store have another form (${other}: ${known[other]}, now ${wanted[other]}).`,
      "Start with the same options, or with a new store.",
    ].join(" "),
  )
}
