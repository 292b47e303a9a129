import { type Static, type TSchema, Type } from "#typebox"
import { readOptions } from "../../log/read-log.ts"
import { units } from "../../log/search-log.ts"
import { budgetSchema, choiceSchema, personNames, purposeSchema } from "../../project/project-settings.ts"
import { useNames } from "../../study/frontier/scores.ts"
import { reportSummarySchema } from "../../study/report/report-summary.ts"
import { overlapReasons, signedStates } from "./list-releases.ts"

const text = (description?: string) => Type.String({ ...(description && { description }) })
const name = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description && { description }) })
const texts = (description?: string) => Type.Array(Type.String(), { ...(description && { description }) })
const count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) })
const number = (description?: string) => Type.Number({ ...(description && { description }) })
const flag = (description?: string) => Type.Boolean({ ...(description && { description }) })
const maybe = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const closed = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

/** The screens, in the order of the work. */
export const screenNames = ["log", "exposure", "purpose", "explore", "preview", "check", "sign", "register"] as const

/** Kinds of work that a job does in a process of its own. */
export const jobKinds = [
  "read",
  "inspect",
  "explore",
  "compare",
  "draft",
  "explain",
  "release",
  "report",
  "overlap",
] as const

const jobStates = ["waiting", "running", "done", "failed", "cancelled", "interrupted"] as const

const errorSchema = closed({ code: text("one of docs/errors.md"), message: text() })

/** A piece of heavy work. One runs at a time. */
export const jobSchema = Type.Object({
  id: Type.String({ pattern: "^[0-9a-f]{24}$" }),
  kind: Type.Enum([...jobKinds]),
  label: text("what it does, in words"),
  state: Type.Enum([...jobStates], { description: "interrupted: the server ended; the work is not started again" }),
  created: text(),
  started: Type.Optional(text()),
  ended: Type.Optional(text()),
  progress: Type.Optional(
    Type.Object({
      says: text("the step and how far it is, in words"),
      share: Type.Optional(number("0 to 1, if it is known")),
      secondsLeft: Type.Optional(number()),
      rowsPerSecond: Type.Optional(number()),
    }),
  ),
  error: Type.Optional(errorSchema),
  result: Type.Optional(Type.Unknown({ description: "of explain, compare and overlap" })),
})

/** A column of the log's file, as the first screen shows it. */
const columnSchema = Type.Object({
  place: text("as --columns accepts it"),
  name: text("of the header, or its position"),
  examples: texts("masked: shapes, no text"),
  means: Type.Optional(Type.Enum(["user", "query", "time", "rank", "url"], { description: "the guess" })),
})

/** What the first screen shows of chosen files. */
export const lookSchema = Type.Object({
  files: Type.Array(Type.Object({ path: text(), bytes: count() })),
  format: text("the guess"),
  columns: Type.Array(columnSchema, { description: "empty if the format's columns are known and cannot be chosen" }),
  readings: texts("how each file would be read, in words"),
  problem: Type.Optional(errorSchema),
})

const readSchema = Type.Object({
  rows: count(),
  events: count(),
  users: count(),
  queries: count(),
  urls: count(),
  rejected: count("lines that are not rows"),
  span: maybe(Type.Object({ first: text(), last: text(), days: number() })),
  readings: texts(),
  warnings: texts(),
  doubts: texts("reasons why the user may be in another column"),
  unit: Type.Enum([...units]),
})

const productSchema = Type.Object({ stale: flag("made from other settings than the present ones"), at: text() })

/** Everything that the page needs at a glance. */
export const stateSchema = Type.Object({
  project: Type.Object({
    id: text(),
    folder: text(),
    created: text(),
    revision: count(),
    version: text(),
    demo: flag(),
  }),
  folders: texts("from which files may be chosen"),
  log: maybe(
    Type.Object({
      files: Type.Array(
        Type.Object({ path: text(), bytes: count(), state: Type.Enum(["same", "changed", "missing"]) }),
      ),
      reading: Type.Record(Type.String(), Type.String()),
      person: Type.Enum([...personNames]),
      read: maybe(Type.Intersect([productSchema, readSchema])),
    }),
  ),
  exposure: maybe(productSchema),
  exempt: count("queries on the exemption list"),
  purpose: maybe(purposeSchema),
  explore: Type.Object({ sample: maybe(productSchema), whole: maybe(productSchema), points: count() }),
  choice: maybe(Type.Intersect([choiceSchema, Type.Object({ name: text("in words") })])),
  budget: maybe(budgetSchema),
  draft: maybe(Type.Intersect([productSchema, choiceSchema])),
  releases: count(),
  jobs: Type.Array(jobSchema, { description: "those that wait or run, and the last of each kind" }),
  disk: Type.Object({ bytes: count(), parts: Type.Record(Type.String(), count()) }),
  commands: Type.Record(Type.Enum([...screenNames]), texts("command lines that do the same")),
})

/** A query as a sample. Its text is in the answer only if enough users issued it, or after it was unmasked. */
const sampleSchema = Type.Object({
  id: count(),
  users: count(),
  words: count(),
  shape: text(),
  topic: Type.Optional(text()),
  text: Type.Optional(text()),
  exempt: flag(),
})

/** The exposure screen. */
export const exposureSchema = Type.Object({
  stale: flag(),
  sentence: text("what the owner should read first"),
  clearFrom: count("a query of at least this many users is shown in clear"),
  inspection: Type.Unknown({ description: "as queryveil inspect --json" }),
  kinds: Type.Array(
    Type.Object({ kind: text(), says: text(), queries: count(), events: count(), samples: Type.Array(sampleSchema) }),
  ),
})

const gainSchema = Type.Object({ value: number(), low: number(), high: number(), attack: text() })
const useSchema = Type.Object({ value: number(), low: number(), high: number(), original: Type.Optional(number()) })

/** A point of the frontier. */
const pointSchema = Type.Object({
  id: text(),
  of: Type.Enum(["sample", "whole"]),
  method: text(),
  parameters: choiceSchema.properties.parameters,
  name: text("method and parameters, in words"),
  raw: flag("the log itself with names replaced, for comparison"),
  risk: Type.Optional(gainSchema),
  attacker: text("what the attacker behind the risk does"),
  uses: Type.Partial(Type.Record(Type.Enum([...useNames]), useSchema)),
  front: flag("no other point is better in both risk and use"),
  state: text("of its checks, except randomness"),
  refused: Type.Optional(text("why the method cannot make it")),
  report: flag("it has a report of its own"),
})

/** The explore screen. */
export const exploreSchema = Type.Object({
  use: Type.Enum([...useNames]),
  maxRisk: number(),
  points: Type.Array(pointSchema),
  advice: maybe(Type.Object({ point: Type.Optional(text("id")), reasons: texts(), notChecked: texts() })),
  uses: Type.Record(
    Type.Enum([...useNames]),
    Type.Object({ title: text(), keeps: text(), better: Type.Enum(["higher", "lower"]) }),
  ),
  methods: Type.Array(
    Type.Object({
      name: text(),
      summary: text(),
      releases: Type.Enum(["rows", "tables"]),
      options: Type.Array(
        Type.Object({
          key: text(),
          says: text(),
          values: Type.Optional(texts("if only these are possible")),
          minimum: Type.Optional(number()),
          maximum: Type.Optional(number()),
          default: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
        }),
      ),
    }),
  ),
})

/** A page of the rows of a draft or a release. */
export const rowsSchema = Type.Object({
  columns: texts(),
  rows: Type.Array(Type.Array(Type.String())),
  /** Rows that match, and rows in all. */
  matching: count(),
  total: count(),
})

/** What a draft shows and withholds. */
export const draftSchema = Type.Object({
  stale: flag(),
  seeded: Type.Literal(true),
  choice: choiceSchema,
  statement: text(),
  notCovered: texts(),
  files: Type.Array(Type.Object({ name: text(), rows: count(), columns: texts() })),
  withheld: Type.Array(Type.Object({ reason: text(), rows: count() })),
  warnings: texts(),
  empty: flag(),
})

/** A release in the register. */
const releaseSchema = Type.Object({
  name: text(),
  id: text(),
  method: text(),
  parameters: choiceSchema.properties.parameters,
  made: text(),
  rows: count(),
  period: Type.Optional(Type.Object({ first: text(), last: text() })),
  state: Type.Enum([...signedStates]),
  decision: Type.Optional(Type.Object({ name: text(), date: text(), reason: text() })),
  problem: Type.Optional(text()),
  summary: Type.Optional(reportSummarySchema),
  accept: texts("what a signer accepts, point by point; empty without a report"),
  handedOut: Type.Array(Type.Object({ to: text(), at: text() })),
  fingerprints: Type.Object({
    manifest: Type.Optional(text()),
    receipt: Type.Optional(text()),
    report: Type.Optional(text()),
  }),
})

/** The register. */
export const registerSchema = Type.Object({
  releases: Type.Array(releaseSchema),
  overlaps: Type.Array(Type.Object({ releases: texts(), why: Type.Enum([...overlapReasons]) })),
  ledger: Type.Array(
    Type.Object({
      log: text(),
      budget: text(),
      spent: text(),
      deltaBudget: text(),
      deltaSpent: text(),
      releases: count(),
    }),
  ),
  broken: Type.Array(Type.Object({ name: text(), why: text() })),
  record: Type.Array(Type.Object({ number: count(), at: text(), says: text() })),
})

/** A column, as --columns accepts it: a comma would begin another column there. */
const column = Type.String({ minLength: 1, maxLength: 500, pattern: "^[^,]+$" })
const { format } = Type.Partial(readOptions).properties
const revision = Type.Integer({ minimum: 0, description: "of the settings that the caller saw" })
const query = Type.String({ minLength: 1, maxLength: 4096 })
const parameters = choiceSchema.properties.parameters

/** The bodies of requests. Text of the log is only ever in a body, never in an address. */
export const bodies = {
  list: closed({ folder: count("number of the folder"), path: Type.String({ maxLength: 4096 }) }),
  look: closed({ files: Type.Array(name(4096), { minItems: 1, maxItems: 10_000 }), format }),
  log: closed({
    revision,
    files: Type.Array(name(4096), { minItems: 1, maxItems: 10_000 }),
    columns: Type.Partial(closed({ user: column, query: column, time: column, rank: column, url: column })),
    format,
    encoding: Type.Optional(name(40)),
    person: Type.Enum([...personNames]),
    userConfirmed: Type.Literal(true),
  }),
  unmask: closed({ samples: Type.Array(count(), { minItems: 1, maxItems: 100 }) }),
  exempt: closed({
    revision,
    add: Type.Array(count(), { maxItems: 1000 }),
    remove: Type.Array(count(), { maxItems: 1000 }),
  }),
  purpose: closed({ revision, ...purposeSchema.properties }),
  choice: closed({ revision, ...choiceSchema.properties }),
  budget: closed({ revision, ...budgetSchema.properties }),
  explore: closed({ of: Type.Enum(["sample", "whole"]), point: Type.Optional(choiceSchema) }),
  compare: closed({ points: Type.Array(text(), { minItems: 2, maxItems: 2 }) }),
  draft: closed({}),
  rows: closed({
    file: Type.Optional(name(100)),
    page: Type.Integer({ minimum: 0 }),
    sort: Type.Optional(name(100)),
    descending: Type.Optional(Type.Boolean()),
    search: Type.Optional(Type.String({ maxLength: 4096 })),
  }),
  explain: closed({ query, method: Type.Optional(name(100)), parameters: Type.Optional(parameters) }),
  release: closed({
    name: name(100),
    reason: Type.Optional(Type.String({ maxLength: 4000, description: "why a further draw is made" })),
  }),
  named: closed({ name: name(100) }),
  decide: closed({
    release: name(100),
    seen: Type.Object(
      { manifest: text(), report: text() },
      { description: "fingerprints of what the person read", additionalProperties: false },
    ),
    name: name(200),
    reason: name(4000),
    accept: Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 1000 }),
  }),
  overlap: closed({ one: name(100), other: name(100) }),
  handOut: closed({ release: name(100), to: name(4096) }),
  remove: closed({ id: text("of the project, to be sure") }),
}

export type Job = Static<typeof jobSchema>
export type StudioState = Static<typeof stateSchema>
export type Look = Static<typeof lookSchema>
export type Exposure = Static<typeof exposureSchema>
export type Explore = Static<typeof exploreSchema>
export type RowsPage = Static<typeof rowsSchema>
export type DraftView = Static<typeof draftSchema>
export type RegisterView = Static<typeof registerSchema>
