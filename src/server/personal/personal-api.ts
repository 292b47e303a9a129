import type { FastifyInstance, FastifyReply } from "fastify"
import { type Static, type TSchema, Type, Value } from "#typebox"
import { QueryveilError } from "../../kernels/error.ts"
import { decisionRules } from "../../personal/expose-profile.ts"
import { mostUploaded } from "../../personal/import/read-history.ts"
import { dayOf } from "../../personal/interests.ts"
import { denominators } from "../../personal/metrics.ts"
import { servedAlgorithms } from "../../personal/proxy/choices.ts"
import type { PersonalProxy } from "../../personal/proxy/personal-proxy.ts"
import { refuseAs } from "../frame/local-app.ts"
import {
  describeChildren,
  describeDays,
  describeFound,
  describeMarks,
  describeState,
  HistoryView,
} from "./profile-views.ts"

const oneOf = <T extends string>(values: readonly T[]) => Type.Union(values.map((value) => Type.Literal(value)))
const strict = { additionalProperties: false }
const share = Type.Number({ minimum: 0, maximum: 1 })
const query = Type.String({ minLength: 1, maxLength: 1000 })
const name = Type.String({ maxLength: 500 })
const path = Type.String({ minLength: 1, maxLength: 4096 })
const day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" })
const text = Type.String({ maxLength: 10_000 })

const asked = { query, delta: Type.Optional(share), engine: Type.Optional(name) }
const previewBody = Type.Object(asked, strict)
const choice = Type.Union([Type.Literal("without-profile"), Type.Literal("send")])
const searchBody = Type.Object({ ...asked, choice: Type.Optional(choice) }, strict)
const sensitiveBody = Type.Object({ path, sensitivity: share }, strict)
const neverBody = Type.Object({ path, never: Type.Boolean() }, strict)
const proposalsBody = Type.Object({ mark: Type.Array(path, { maxItems: 1000 }) }, strict)
const settingsBody = Type.Object(
  {
    delta: Type.Optional(share),
    sessionDelta: Type.Optional(share),
    lifetimeDelta: Type.Optional(share),
    queryDelta: Type.Optional(share),
    sensitiveQueries: Type.Optional(Type.Union([Type.Literal("ask"), choice])),
    learning: Type.Optional(Type.Boolean()),
    rerank: Type.Optional(Type.Boolean()),
    algorithm: Type.Optional(oneOf(servedAlgorithms)),
    mu: Type.Optional(share),
    decision: Type.Optional(oneOf(decisionRules)),
    denominator: Type.Optional(oneOf(denominators)),
    engine: Type.Optional(name),
    welcomed: Type.Optional(Type.Boolean()),
  },
  strict,
)
const findBody = Type.Object({ text: Type.String({ minLength: 1, maxLength: 200 }) }, strict)
const engineBody = Type.Object({ kind: name, url: Type.String({ maxLength: 2000 }) }, strict)
const namedBody = Type.Object({ name }, strict)
const clickBody = Type.Object({
  query,
  url: Type.Union([text, Type.Null()]),
  title: text,
  snippet: text,
  engine: Type.Optional(name),
})
const forgetBody = Type.Union([Type.Object({ path }, strict), Type.Object({ day }, strict)])
const pageSize = 50
const mostFound = 20

/** Adds the JSON API of docs/personal-proxy.md. The token was already checked for every caller. */
export function addPersonalApi(app: FastifyInstance, proxy: PersonalProxy, options: { taxonomy: string }): void {
  const state = () => describeState(proxy, options.taxonomy)
  const view = new HistoryView(proxy.store.interests.taxonomy)

  app.get("/api/state", async () => state())
  app.post("/api/preview", async ({ body }) => {
    const { query, ...rest } = read(previewBody, body)
    return proxy.preview(query, rest)
  })
  app.post("/api/search", async ({ body }, reply) => {
    const { query, ...rest } = read(searchBody, body)
    return await proxy.find(query, { ...rest, signal: untilGone(reply) })
  })
  app.get<{ Querystring: Record<string, unknown> }>("/api/topics", async (request, reply) => {
    const { path = "" } = request.query
    const topic = typeof path === "string" ? proxy.store.interests.taxonomy.find(path) : -1
    if (topic < 0)
      return refuseAs(reply, 404, { code: "unknown-name", message: "The taxonomy has no topic with this path." })
    return describeChildren(proxy.store, topic)
  })
  app.post("/api/topics/find", async ({ body }) => {
    const found = await proxy.findTopics(read(findBody, body).text, { count: mostFound })
    return describeFound(proxy.store, found)
  })
  app.put("/api/sensitive", async ({ body }) => {
    const { path, sensitivity } = read(sensitiveBody, body)
    await proxy.mark(path, sensitivity)
    return describeMarks(proxy)
  })
  app.put("/api/never", async ({ body }) => {
    const { path, never } = read(neverBody, body)
    await proxy.markNever(path, never)
    return describeMarks(proxy)
  })
  app.post("/api/proposals", async ({ body }) => {
    await proxy.answerProposals(read(proposalsBody, body).mark)
    return state()
  })
  app.put("/api/settings", async ({ body }) => {
    await proxy.choose(read(settingsBody, body))
    return state()
  })
  app.post("/api/click", async ({ body }) => ({ learned: await proxy.click(read(clickBody, body)) }))
  app.get("/api/learned", async () => proxy.learning.list())
  app.post("/api/learned/undo", async () => ({ forgotten: await proxy.undo(), state: state() }))
  app.get("/api/days", async () => describeDays(proxy.store))
  app.post("/api/forget", async ({ body }) => {
    const what = read(forgetBody, body)
    if ("day" in what) dayNumber(what.day)
    await proxy.forget(what)
    return state()
  })
  addEngines(app, proxy, state)
  addImport(app, proxy, state)
  addHistory(app, proxy, view)
}

/** Adds the routes for engines of the page. Their addresses are never returned. */
function addEngines(app: FastifyInstance, proxy: PersonalProxy, state: () => unknown): void {
  app.post("/api/engines", async ({ body }) => {
    const name = await proxy.addEngine(read(engineBody, body))
    return { name, state: state() }
  })
  app.post("/api/engines/try", async ({ body }, reply) =>
    proxy.tryEngine(read(namedBody, body).name, { signal: untilGone(reply) }),
  )
  app.delete<{ Querystring: Record<string, unknown> }>("/api/engines", async ({ query: given }) => {
    await proxy.removeEngine(read(name, given.name))
    return state()
  })
}

/**
 * A history is sent as the bytes of its file, never as a path. A caller without the token is refused before a byte is
 * read.
 */
function addImport(app: FastifyInstance, proxy: PersonalProxy, state: () => unknown): void {
  app.register(async (scope) => {
    const options = { parseAs: "buffer", bodyLimit: mostUploaded } as const
    scope.addContentTypeParser("application/octet-stream", options, (_request, body, done) => done(null, body))
    scope.post("/api/import", { bodyLimit: mostUploaded }, async ({ body }, reply) => {
      if (!Buffer.isBuffer(body)) throw notAsked()
      const learned = await proxy.importHistory(body, { signal: untilGone(reply) })
      return { ...learned, state: state() }
    })
  })
}

function addHistory(app: FastifyInstance, proxy: PersonalProxy, view: HistoryView): void {
  app.get<{ Querystring: Record<string, unknown> }>("/api/history", async ({ query: { before } }) => {
    const end = /^\d{1,15}$/.test(String(before)) ? Number(before) : Number.POSITIVE_INFINITY
    return view.page(proxy.store, { before: end, count: pageSize })
  })
  app.get("/api/history/export", async (_request, reply) => {
    reply.header("content-disposition", 'attachment; filename="exposures.json"')
    return view.export(proxy.store)
  })
  app.delete<{ Querystring: Record<string, unknown> }>("/api/history", async ({ query: { day: given } }) => {
    const wanted = given === undefined ? undefined : dayNumber(read(day, given))
    const { history } = proxy.store
    const deleted = wanted === undefined ? history.delete(() => true) : history.deleteDay(wanted)
    await proxy.save()
    return { deleted }
  })
}

function read<S extends TSchema>(schema: S, body: unknown): Static<S> {
  if (Value.Check(schema, body)) return body
  throw notAsked()
}

const notAsked = () => Object.assign(new Error("not as the API says"), { statusCode: 400 })

/**
 * The day of a date that exists in the calendar. 02-31 would become another day, which the person did not ask to
 * forget.
 */
function dayNumber(date: string): number {
  const milliseconds = Date.parse(`${date}T00:00:00Z`)
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(date)) throw notAsked()
  return dayOf(milliseconds / 1000)
}

/** Aborts a search when the caller no longer waits for it. */
function untilGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once("close", () => {
    if (!raw.writableEnded)
      controller.abort(new QueryveilError("interrupted", "The page stopped waiting for the answer."))
  })
  return controller.signal
}
