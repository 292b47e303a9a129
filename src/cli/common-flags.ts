import { Type } from "#typebox"
import { readOptions } from "../log/read-log.ts"
import { usualSeed } from "../probes/run-probes.ts"

/** Flags that every command has. */
export const commonFlags = Type.Object({
  workers: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 256, description: "threads to use (default: all cores)" }),
  ),
  config: Type.Optional(Type.String({ placeholder: "file", description: "JSON file with the same keys as the flags" })),
  json: Type.Boolean({ description: "answer in JSON" }),
  quiet: Type.Boolean({ description: "no progress, no warnings" }),
  debug: Type.Boolean({ description: "show stack traces" }),
})

/** Flags of a command that reads a log. */
export const readFlags = Type.Object({
  ...readOptions.properties,
  rejects: Type.Optional(
    Type.String({
      placeholder: "file",
      description: "file for the lines that are no rows: file, line and reason, never text (private)",
    }),
  ),
})

const words = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { words: true, placeholder: "log", description }))

/** Flags of a command that looks at a release, with the original or without. */
export const releaseFlags = Type.Object({
  ...readFlags.properties,
  against: words("the original log"),
  audit: Type.Optional(Type.String({ placeholder: "dir", description: "the folder that anonymize --audit wrote" })),
})

export const onlyFlag = Type.Optional(Type.Array(Type.String(), { description: "only these, separated by commas" }))

export const truthFlag = Type.Optional(
  Type.String({ placeholder: "dir", description: "what was planted in a made-up log (secrets.tsv)" }),
)

export const labelsFlag = Type.Optional(
  Type.String({ placeholder: "file", description: "judged queries: lines of a query, a tab, and sensitive or safe" }),
)

export const seedFlag = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: `for randomness that can be repeated: the same seed finds the same numbers (default: ${usualSeed})`,
  }),
)

export const answerFlag = () => outputFlag("file", "file for the answer in JSON (private: it describes the log)")

/** `--preset paper` of commands that run a method. */
export const outputFlag = (placeholder: "dir" | "file", description: string) =>
  Type.Optional(Type.String({ short: "o", placeholder, description }))

export const logArgument = { syntax: "<log...>", description: "search log: files, globs, or - for the standard input" }
export const releaseArgument = { syntax: "<release>", description: "folder that anonymize wrote" }

/** A second release, for the attack by both. */
export const otherFlags = {
  other: Type.Optional(Type.String({ placeholder: "dir", description: "intersection: a second release to link with" })),
  otherAudit: Type.Optional(
    Type.String({ placeholder: "dir", description: "intersection: the audit folder of the second release" }),
  ),
}
