import { type Static, Type, Value } from "#typebox"
import { QueryveilError } from "../../kernels/error.ts"
import { swapperOptions } from "../../swapper/options.ts"
import { classifierOption } from "../../taxonomy/classify/open-classifier.ts"
import { taxonomyOption } from "../../taxonomy/open-taxonomy.ts"
import { scrubOption } from "../../text/identifiers/scrub-option.ts"
import { nameLifetimes, refusedLifetimes } from "./user-names.ts"

/** What an operator chooses when starting a stream. */
export const liveOptions = Type.Object({
  ...swapperOptions.properties,
  depth: Type.Integer({
    default: 6,
    minimum: 1,
    maximum: 255,
    description: "level of the topics within which users are swapped",
  }),
  remember: Type.Integer({
    default: 10_000_000,
    minimum: 1000,
    maximum: 200_000_000,
    description: [
      "with --repeats once: remember at least this many released queries (7 bytes each);",
      "a group of workers: in each partition",
    ].join(" "),
  }),
  ...scrubOption("all").properties,
  users: Type.Optional(
    Type.Enum([...nameLifetimes], {
      refusals: refusedLifetimes,
      description: [
        "let a name last one cell, one day or for ever (pseudonym, which voids the promise);",
        "drop names; or keep the log's ids (not safe) (default cell, or what the store has)",
      ].join(" "),
    }),
  ),
  urls: Type.Enum(["drop", "keep"], {
    default: "drop",
    description: "drop clicked urls and ranks, or keep all, which may identify the user (not safe)",
  }),
  time: Type.Enum(["hour", "day", "exact", "drop", "own"], {
    default: "hour",
    description: [
      "show when a cell closed, cut to the hour or day, exactly, or not at all;",
      "own: the search's own time, which voids the promise",
    ].join(" "),
  }),
  category: Type.Boolean({
    default: false,
    description: "show the topic within which users were swapped",
  }),
  ...taxonomyOption.properties,
  ...classifierOption.properties,
  checkpoint: Type.Integer({
    default: 60,
    minimum: 1,
    maximum: 86_400,
    placeholder: "seconds",
    description: "write a checkpoint this often; it brings profiles up to date and shortens the journal",
  }),
  gate: Type.Boolean({
    default: false,
    description: "withhold a topic once the running attack is right too often in it",
  }),
  riskWindow: Type.Integer({
    default: 50_000,
    minimum: 0,
    maximum: 10_000_000,
    description: "let the running attack use this many recent releases; 0 turns it off",
  }),
})

/** `liveOptions` as a type. */
export type LiveOptions = Static<typeof liveOptions>

/**
 * What `--preset paper` sets instead of the defaults: the paper's algorithm on the log as it is. It promises nothing.
 */
const paperOptions: Partial<LiveOptions> = {
  mode: "paper",
  scrub: "none",
  users: "keep",
  urls: "keep",
  time: "own",
  category: true,
}

/** Applies the defaults, then the preset, then the given values, and checks every value. */
export function completeLiveOptions(given: Partial<LiveOptions>, preset?: "paper"): LiveOptions {
  const { users }: { users?: string } = given
  const refusal = Object.entries(refusedLifetimes).find(([lifetime]) => lifetime === users)
  if (refusal !== undefined)
    throw new QueryveilError("option-value", `stream: users ${refusal[0]}: ${refusal[1]}`, { flag: "--users" })
  const complete = Value.Default(liveOptions, { ...(preset === "paper" ? paperOptions : {}), ...given })
  if (Value.Check(liveOptions, complete)) return complete
  const [problem] = Value.Errors(liveOptions, complete)
  throw new QueryveilError("option-value", `stream: ${problem?.instancePath.slice(1)} ${problem?.message}.`)
}

/** The formats in which records can leave. */
export const outputFormats = ["tsv", "jsonl"] as const
/** One of `outputFormats`. */
export type OutputFormat = (typeof outputFormats)[number]
