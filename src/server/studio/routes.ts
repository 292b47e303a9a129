import type { FastifyInstance } from "fastify"
import { type Static, type TSchema, Type, Value } from "#typebox"
import {
  bodies,
  draftSchema,
  exploreSchema,
  exposureSchema,
  type jobKinds,
  jobSchema,
  lookSchema,
  registerSchema,
  rowsSchema,
  stateSchema,
} from "../../app/project/studio-schema.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { StudioDesk } from "./studio-desk.ts"

/** One route of the API: how it is asked, what it answers, and what it does. */
interface Route {
  method: "GET" | "POST" | "PUT" | "DELETE"
  path: string
  summary: string
  body?: TSchema
  answer: TSchema
  run(desk: StudioDesk, request: { body: unknown; params: { id?: string } }): Promise<unknown>
}

/** A route whose body is checked by its schema before it runs. */
function route<B extends TSchema>(
  spec: Omit<Route, "run" | "body"> & { body: B; run(desk: StudioDesk, body: Static<B>): Promise<unknown> },
): Route {
  return { ...spec, run: (desk, { body }) => spec.run(desk, readBody(spec.body, body)) }
}

function readBody<B extends TSchema>(schema: B, body: unknown): Static<B> {
  const value = body ?? {}
  if (Value.Check(schema, value)) return value
  const [first] = Value.Errors(schema, value)
  throw new QueryveilError(
    "option-value",
    `The request is wrong: ${first?.instancePath || "/"} ${first?.message ?? ""}.`,
  )
}

const entries = Type.Array(
  Type.Object({ name: Type.String(), kind: Type.Enum(["folder", "file"]), bytes: Type.Integer() }),
)
const texts = Type.Array(Type.Object({ id: Type.Integer(), text: Type.String() }))
const copied = Type.Array(Type.Object({ path: Type.String(), sha256: Type.String() }))

const jobBodies = {
  inspect: Type.Object({}, { additionalProperties: false }),
  explore: bodies.explore,
  compare: bodies.compare,
  draft: bodies.draft,
  explain: bodies.explain,
  release: bodies.release,
  report: bodies.named,
  overlap: bodies.overlap,
} satisfies Partial<Record<(typeof jobKinds)[number], TSchema>>

const jobSummaries: Record<keyof typeof jobBodies, string> = {
  inspect: "inspect the log, and draw samples of queries with identifiers",
  explore: "compute points of the frontier, on a sample or on the whole log",
  compare: "compare what two points show of the same twenty queries",
  draft: "make a seeded draft of the chosen release",
  explain: "explain why a query is in the release or not",
  release: "draw the chosen release for real",
  report: "verify, attack and measure a release, and write its report",
  overlap: "attack two releases together",
}

const jobRoutes = Object.entries(jobBodies).map(([kind, body]) =>
  route({
    method: "POST",
    path: `/api/jobs/${kind}`,
    summary: jobSummaries[kind as keyof typeof jobBodies],
    body: body as TSchema,
    answer: jobSchema,
    run: (desk, options) => desk.start(kind as keyof typeof jobBodies, options),
  }),
)

/** Every route of the studio. Text of the log is only in bodies, never in an address. */
export const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/state",
    summary: "the project at a glance",
    answer: stateSchema,
    run: (desk) => desk.state(),
  },
  route({
    method: "POST",
    path: "/api/files",
    summary: "list a folder from which files may be chosen",
    body: bodies.list,
    answer: Type.Object({
      path: Type.String(),
      entries,
      left: Type.Integer({ description: "names that are not listed" }),
    }),
    run: (desk, body) => desk.files(body),
  }),
  route({
    method: "POST",
    path: "/api/look",
    summary: "look at the first rows of files; the answer holds no text of them",
    body: bodies.look,
    answer: lookSchema,
    run: (desk, body) => desk.look(body),
  }),
  route({
    method: "PUT",
    path: "/api/log",
    summary: "choose the log, confirm its user column, and read it",
    body: bodies.log,
    answer: jobSchema,
    run: (desk, body) => desk.chooseLog(body),
  }),
  {
    method: "GET",
    path: "/api/exposure",
    summary: "what the log exposes; texts of few users are not in the answer",
    answer: exposureSchema,
    run: (desk) => desk.exposure(),
  },
  route({
    method: "POST",
    path: "/api/unmask",
    summary: "the texts of samples; the project's record says that they were shown",
    body: bodies.unmask,
    answer: Type.Object({ samples: texts }),
    run: (desk, body) => desk.unmask(body),
  }),
  route({
    method: "PUT",
    path: "/api/exempt",
    summary: "change the list of queries that are not scrubbed",
    body: bodies.exempt,
    answer: stateSchema,
    run: (desk, body) => desk.exempt(body),
  }),
  route({
    method: "PUT",
    path: "/api/purpose",
    summary: "say what the release is for, and which risk is accepted",
    body: bodies.purpose,
    answer: stateSchema,
    run: (desk, { revision, ...purpose }) => desk.change({ revision, set: { purpose } }),
  }),
  route({
    method: "PUT",
    path: "/api/choice",
    summary: "choose a method and its parameters",
    body: bodies.choice,
    answer: stateSchema,
    run: (desk, { revision, ...choice }) => desk.choose({ revision, choice }),
  }),
  route({
    method: "PUT",
    path: "/api/budget",
    summary: "set the budgets of the ledger",
    body: bodies.budget,
    answer: stateSchema,
    run: (desk, { revision, ...budget }) => desk.change({ revision, set: { budget } }),
  }),
  {
    method: "GET",
    path: "/api/explore",
    summary: "the points of the frontier, and the advice",
    answer: exploreSchema,
    run: (desk) => desk.explore(),
  },
  {
    method: "GET",
    path: "/api/draft",
    summary: "what the draft promises, shows and withholds",
    answer: draftSchema,
    run: (desk) => desk.draft(),
  },
  route({
    method: "POST",
    path: "/api/draft/rows",
    summary: "a page of the draft's rows",
    body: bodies.rows,
    answer: rowsSchema,
    run: (desk, body) => desk.rows(body),
  }),
  ...jobRoutes,
  {
    method: "GET",
    path: "/api/jobs/:id",
    summary: "a job",
    answer: jobSchema,
    run: async (desk, { params }) => desk.job(params.id ?? ""),
  },
  {
    method: "DELETE",
    path: "/api/jobs/:id",
    summary: "cancel a job; nothing is left half made",
    answer: jobSchema,
    run: (desk, { params }) => desk.cancel(params.id ?? ""),
  },
  {
    method: "GET",
    path: "/api/register",
    summary: "releases, decisions, the ledger and the record",
    answer: registerSchema,
    run: (desk) => desk.register(),
  },
  route({
    method: "POST",
    path: "/api/sign",
    summary: "sign a release",
    body: bodies.decide,
    answer: registerSchema,
    run: (desk, body) => desk.decide("sign", body),
  }),
  route({
    method: "POST",
    path: "/api/refuse",
    summary: "refuse a release",
    body: bodies.decide,
    answer: registerSchema,
    run: (desk, body) => desk.decide("refuse", body),
  }),
  route({
    method: "POST",
    path: "/api/hand-out",
    summary: "copy a signed release to an empty folder of this machine",
    body: bodies.handOut,
    answer: Type.Object({ to: Type.String(), files: copied }),
    run: (desk, body) => desk.handOut(body),
  }),
  route({
    method: "POST",
    path: "/api/delete",
    summary: "delete the project; its ledger and its record stay",
    body: bodies.remove,
    answer: Type.Object({ kept: Type.String() }),
    run: (desk, body) => desk.remove(body),
  }),
]

/** Adds the routes to a server that has checked origin, host and token. */
export function addStudioRoutes(app: FastifyInstance, desk: StudioDesk): void {
  for (const { method, path, run } of routes)
    app.route<{ Params: { id?: string } }>({
      method,
      url: path,
      handler: async ({ body, params }) => run(desk, { body, params }),
    })
}
