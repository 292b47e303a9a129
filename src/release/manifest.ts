import { type Static, Type, Value } from "#typebox"
import {
  guaranteeProblem,
  guaranteeSchema,
  type TablesGuarantee,
  tablesGuaranteeSchema,
  traitsOf,
} from "../methods/guarantee.ts"
import { nameLifetimes } from "../methods/name-lifetime.ts"
import { releaseColumns } from "./column-policy.ts"

/** Raise when the meaning of a release folder changes. */
export const releaseVersion = 1

/** The formats in which a release can be written. */
export const fileFormats = ["tsv", "csv", "jsonl", "parquet"] as const
/** A format in which a release can be written. */
export type FileFormat = (typeof fileFormats)[number]

const parameter = Type.Union([Type.String(), Type.Number(), Type.Boolean()])

const common = {
  queryveil: Type.Integer({ minimum: 1 }),
  id: Type.String({ pattern: "^[0-9a-f]{32}$" }),
  method: Type.String(),
  parameters: Type.Record(Type.String(), parameter),
  seeded: Type.Boolean(),
  // CSV and TSV: cells that a spreadsheet would run have a leading apostrophe. Readers remove it.
  formulas: Type.Optional(Type.Literal("escaped")),
  created: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$" }),
}

const file = {
  path: Type.String({ pattern: "^[a-z]+(-\\d+)?\\.(tsv|csv|jsonl|parquet)$" }), // -N: a part
  rows: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
}

/** The schema of `release.json` for a release of rows. It contains nothing that describes the input. */
export const rowsManifestSchema = Type.Object(
  {
    ...common,
    guarantee: guaranteeSchema,
    columns: Type.Array(Type.Enum(Object.values(releaseColumns))),
    files: Type.Array(Type.Object(file, { additionalProperties: false }), { minItems: 1 }),
  },
  { additionalProperties: false },
)

/** The schema of `release.json` for a release of tables: each file has its own columns. */
export const tablesManifestSchema = Type.Object(
  {
    ...common,
    guarantee: tablesGuaranteeSchema,
    files: Type.Array(
      Type.Object(
        {
          ...file,
          // Names become part of SQL if a file is CSV or Parquet, and a release may come from anyone.
          columns: Type.Array(
            Type.Object(
              { name: Type.String({ pattern: "^[a-z]+$" }), type: Type.Enum(["text", "number"]) },
              { additionalProperties: false },
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

/** The content of `release.json` for released rows. */
export type RowsManifest = Static<typeof rowsManifestSchema>
/** The content of `release.json` for released tables. */
export type TablesManifest<G extends TablesGuarantee = TablesGuarantee> = Omit<
  Static<typeof tablesManifestSchema>,
  "guarantee"
> & { guarantee: G }
/**
 * The content of `release.json`: method, parameters, guarantee, columns, and files with their fingerprints. It contains
 * nothing that describes the input.
 */
export type Manifest = RowsManifest | TablesManifest

/** The first problem that makes a value invalid as a manifest, in words for people; undefined if it is valid. */
export function manifestProblem(value: unknown): string | undefined {
  const schema = claimsTables(value) ? tablesManifestSchema : rowsManifestSchema
  const [first] = Value.Errors(schema, value)
  if (first !== undefined) return `${first.instancePath || "/"} ${first.message}`
  if (Value.Check(rowsManifestSchema, value)) return guaranteeProblem(value.guarantee, "rows")
  return Value.Check(tablesManifestSchema, value) ? guaranteeProblem(value.guarantee, "tables") : undefined
}

function claimsTables(value: unknown): boolean {
  return typeof value === "object" && value !== null && !("columns" in value)
}

export function isRowsManifest(value: unknown): value is RowsManifest {
  return Value.Check(rowsManifestSchema, value) && guaranteeProblem(value.guarantee, "rows") === undefined
}

export function isTablesManifest(value: unknown): value is TablesManifest {
  return Value.Check(tablesManifestSchema, value) && guaranteeProblem(value.guarantee, "tables") === undefined
}

/** True if the release contains no row, count or profile. */
export const isEmptyRelease = ({ files }: Pick<Manifest, "files">): boolean => files.every(({ rows }) => rows === 0)

/** How long a name of the release lasts, according to the guarantee, or else the column policy. */
export function nameLifetimeOf({ guarantee, parameters }: Pick<RowsManifest, "guarantee" | "parameters">) {
  return traitsOf(guarantee).lasts ?? nameLifetimes.find((lifetime) => lifetime === parameters.users)
}
