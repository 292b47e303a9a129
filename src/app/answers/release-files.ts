import { Type } from "#typebox"
import { rowsManifestSchema, tablesManifestSchema } from "../../release/manifest.ts"
import { count, counts, flag, number, readings, text, warnings } from "./parts.ts"

/** `release.json`. Its field `queryveil` is the version of queryveil. */
export const manifest = Type.Union([rowsManifestSchema, tablesManifestSchema], {
  description: "release.json: what a release says of itself, of rows or of tables; field queryveil is the version",
})

/** Which documents of an index were read. */
const index = Type.Object(
  {
    timeField: Type.Optional(text("the field that since and until are about")),
    since: Type.Optional(text("first moment that was read, ISO 8601")),
    until: Type.Optional(text("first moment that was not read, ISO 8601")),
    filter: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "the query of --filter" })),
    documents: count(),
  },
  { description: "for an index: which documents were read" },
)

/** `DIR.receipt.json`. Its field `queryveil` is the version of queryveil. */
export const receipt = Type.Object(
  {
    queryveil: Type.Integer({ minimum: 1, description: "version of this file" }),
    release: text("id of the release"),
    method: text(),
    input: Type.Object({
      format: text(),
      unit: Type.Enum(["user", "session"], { description: "what the user column distinguishes" }),
      read: readings,
      encoding: text(),
      cached: flag(),
      files: Type.Array(
        Type.Object({ path: text(), bytes: count(), lines: count(), sha256: text(), index: Type.Optional(index) }),
      ),
      lines: count(),
      rejected: counts("lines that are not rows, by reason"),
      collapsed: count("rows that log a search again"),
      rows: count(),
      events: count(),
      users: count(),
      queries: count(),
      urls: count(),
    }),
    withheld: counts("left out, by reason"),
    released: Type.Object({ rows: count(), tables: Type.Optional(counts("rows of each table")) }),
    warnings,
    scrubExempt: Type.Optional(
      Type.Object(
        { sha256: text(), queries: count(), notInLog: count(), spared: count() },
        { description: "the owner's list of queries that are not scrubbed; the audit has it" },
      ),
    ),
    measured: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
        description: "exact figures that the manifest rounds",
      }),
    ),
    maxRisk: Type.Optional(number("the gain over a guess that the owner accepted (--max-risk)")),
  },
  { description: "DIR.receipt.json: what describes the input of a release (private); field queryveil is the version" },
)
