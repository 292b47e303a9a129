import { type Static, type TObject, Type } from "#typebox"
import { refuseUnknownOption, refuseWrongValue } from "../kernels/check-options.ts"
import { readOptions } from "../log/read-log.ts"
import { usualSeed } from "../probes/run-probes.ts"

/**
 * The options of a schema as a caller gives them: any may be left out or undefined.
 * @inline
 */
export type GivenOptions<S extends TObject> = { [K in keyof Static<S>]?: Static<S>[K] | undefined }

/** How to read a log, and where to list the lines that are not rows. */
export const logOptions = Type.Object({
  ...readOptions.properties,
  rejects: Type.Optional(
    Type.String({
      placeholder: "file",
      description: "list rejected lines in this file: file, line and reason, never text (private)",
    }),
  ),
})

/** How to read a log, and where to list the lines that are not rows: `logOptions` as a type. */
export interface LogOptions extends GivenOptions<typeof logOptions> {}

const words = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { words: true, placeholder: "log", description }))

/** Options for checking a release, with the original log or without it. */
export const releaseOptions = Type.Object({
  ...logOptions.properties,
  against: words("compare with the original log"),
  audit: Type.Optional(
    Type.String({ placeholder: "dir", description: "read the folder that anonymize --audit wrote" }),
  ),
})

/** For commands that need the rows of the original on this machine. */
export const engineOption = Type.Optional(
  Type.String({
    placeholder: "address",
    description: "with --against: read a table or files of a cluster into this machine (sc://HOST:15002 for Spark)",
  }),
)

export const onlyOption = Type.Optional(
  Type.Array(Type.String(), { description: "run only these, by name, separated by commas" }),
)

export const truthOption = Type.Optional(
  Type.String({ placeholder: "dir", description: "read the planted secrets of a synthetic log (secrets.tsv)" }),
)

export const labelsOption = Type.Optional(
  Type.String({
    placeholder: "file",
    description: "read judged queries: lines of a query, a tab, and sensitive or safe",
  }),
)

export const seedOption = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: `draw randomness from this seed; the same seed gives the same numbers (default ${usualSeed})`,
  }),
)

export const studySeedOption = Type.Integer({
  default: 1,
  minimum: 0,
  description: "draw randomness from this seed; the same seed gives the same numbers",
})

/** A second release, for the attack that uses both. */
export const otherOptions = {
  other: Type.Optional(Type.String({ placeholder: "dir", description: "intersection: link with this second release" })),
  otherAudit: Type.Optional(
    Type.String({ placeholder: "dir", description: "intersection: read the audit of the second release" }),
  ),
}

export const outputOption = (placeholder: "dir" | "file", description: string) =>
  Type.Optional(Type.String({ short: "o", placeholder, description }))

/** For commands that write a release as CSV or TSV. */
export const escapeFormulasOption = Type.Object({
  escapeFormulas: Type.Boolean({
    default: false,
    description:
      "put an apostrophe before cells that a spreadsheet would run as a formula (csv, tsv; undone on reading)",
  }),
})

export const answerOption = () =>
  outputOption("file", "write the answer in JSON to this file (private: it describes the log)")

export const forceOption = (what: string) =>
  Type.Boolean({ default: false, description: `replace an existing ${what}` })

/** Checks the given options. A misspelt option or a wrong value is refused with the error codes of the command line. */
export function checkOptions<S extends TObject>(who: string, schema: S, given: object): Partial<Static<S>> {
  refuseUnknownOption(who, given, Object.keys(schema.properties))
  const values = pickOptions(schema, listPaths(schema, given))
  const partial: TObject = Type.Partial<TObject>(schema)
  refuseWrongValue(who, partial, values)
  return values
}

/** Turns a single path into a list of one. */
function listPaths({ properties }: TObject, given: object): object {
  const isList = (key: string) => properties[key] !== undefined && "words" in properties[key]
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, typeof value === "string" && isList(key) ? [value] : value]),
  )
}

/** The values that a schema has, in the order of the schema. */
export function pickOptions<S extends TObject>(schema: S, given: object): Partial<Static<S>> {
  const values = new Map(Object.entries(given))
  return Object.fromEntries(
    Object.keys(schema.properties).flatMap((key) => (values.get(key) === undefined ? [] : [[key, values.get(key)]])),
  ) as Partial<Static<S>>
}
