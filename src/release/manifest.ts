import { type Static, Type } from "typebox"
import { Value } from "typebox/value"
import { guaranteeSchema } from "../methods/guarantee.ts"
import { releaseColumns } from "./column-policy.ts"

/** Raise when the meaning of a release folder changes. */
export const releaseVersion = 1

export const fileFormats = ["tsv", "csv", "jsonl", "parquet"] as const
export type FileFormat = (typeof fileFormats)[number]

const parameter = Type.Union([Type.String(), Type.Number(), Type.Boolean()])

/** What every release says of itself in `release.json`. Holds nothing that describes the input. */
const manifestSchema = Type.Object(
  {
    queryveil: Type.Integer({ minimum: 1 }),
    id: Type.String({ pattern: "^[0-9a-f]{32}$" }),
    method: Type.String(),
    parameters: Type.Record(Type.String(), parameter),
    guarantee: guaranteeSchema,
    columns: Type.Array(Type.Enum(Object.values(releaseColumns))),
    seeded: Type.Boolean(),
    created: Type.String(),
    files: Type.Array(
      Type.Object({
        path: Type.String({ pattern: "^[a-z]+\\.(tsv|csv|jsonl|parquet)$" }),
        rows: Type.Integer({ minimum: 0 }),
        sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
      }),
    ),
  },
  { additionalProperties: false },
)

export type Manifest = Static<typeof manifestSchema>

/** The first place where a value is not a manifest, for a person; undefined when it is one. */
export function manifestProblem(value: unknown): string | undefined {
  const [first] = Value.Errors(manifestSchema, value)
  return first === undefined ? undefined : `${first.instancePath || "/"} ${first.message}`
}

export function isManifest(value: unknown): value is Manifest {
  return Value.Check(manifestSchema, value)
}
