import { type Static, Type, Value } from "#typebox"
import { QueryveilError } from "../../kernels/error.ts"
import { classifierOption } from "../../taxonomy/classify/open-classifier.ts"
import { taxonomyOption } from "../../taxonomy/open-taxonomy.ts"
import { scrubOption } from "../../text/identifiers/scrub-option.ts"
import { swapperOptions } from "../options.ts"

/** What an operator chooses when a stream is started. */
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
    description: "with --repeats once: released queries of users that are remembered, at least (7 bytes each)",
  }),
  ...scrubOption("all").properties,
  users: Type.Enum(["pseudonym", "drop", "keep"], {
    default: "pseudonym",
    description: "user column: a name per user that is keyed by the store, none, or the log's own ids (not safe)",
  }),
  urls: Type.Enum(["drop", "keep"], {
    default: "drop",
    description: "clicked urls and their ranks: none, or all, which may name who clicked (not safe)",
  }),
  time: Type.Enum(["hour", "day", "exact", "drop", "own"], {
    default: "hour",
    description:
      "the time a cell closed, cut to the hour or day, exact, or none; own: that of the search itself, which voids the promise",
  }),
  ...taxonomyOption.properties,
  ...classifierOption.properties,
  checkpoint: Type.Integer({
    default: 60,
    minimum: 1,
    maximum: 86_400,
    placeholder: "seconds",
    description: "between two checkpoints, which bring profiles up to date and shorten the journal",
  }),
  gate: Type.Boolean({
    default: false,
    description: "withhold a topic from the moment that the running attack is right too often in it",
  }),
  riskWindow: Type.Integer({
    default: 50_000,
    minimum: 0,
    maximum: 10_000_000,
    description: "releases that the running attack looks at; 0: it does not run",
  }),
})

/** `liveOptions` as a type. */
export type LiveOptions = Static<typeof liveOptions>

/** Defaults, then what was given; every value checked. */
export function completeLiveOptions(given: Partial<LiveOptions>): LiveOptions {
  const complete = Value.Default(liveOptions, { ...given })
  if (Value.Check(liveOptions, complete)) return complete
  const [problem] = Value.Errors(liveOptions, complete)
  throw new QueryveilError("option-value", `stream: ${problem?.instancePath.slice(1)} ${problem?.message}.`)
}

/** The formats in which records leave. */
export const outputFormats = ["tsv", "jsonl"] as const
/** One of `outputFormats`. */
export type OutputFormat = (typeof outputFormats)[number]
