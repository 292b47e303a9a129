import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import type { Command } from "commander"
import { Type } from "#typebox"
import { builtIn, wordNetLink } from "../../../personal/engines/built-in.ts"
import type { SearchEngine } from "../../../personal/engines/engine.ts"
import { parseEngine } from "../../../personal/engines/parse-engine.ts"
import { sensitiveQueryModes } from "../../../personal/personal-search.ts"
import { servedAlgorithms, standardChoices } from "../../../personal/proxy/choices.ts"
import { noRisk } from "../../../personal/proxy/exposed.ts"
import { PersonalProxy } from "../../../personal/proxy/personal-proxy.ts"
import { shownInFull } from "../../../personal/shown-in-full.ts"
import { urlOf } from "../../../stream/address.ts"
import { type TopicSearcher, topicSearcher } from "../../../taxonomy/classify/topic-searcher.ts"
import { openTaxonomy, builtIn as wordNet } from "../../../taxonomy/open-taxonomy.ts"
import { defineCommand } from "../../define-command.ts"
import type { Given } from "../../flags.ts"
import type { Session } from "../../session.ts"
import { canAsk } from "./ask-terminal.ts"
import { decisionFlags } from "./decision-flags.ts"
import { openOrCreate } from "./open-or-create.ts"
import { isThere, profileFlags, readPassphrase } from "./open-profile.ts"
import { cacheFolder, standardProfile } from "./places.ts"
import { sayInFull } from "./say-marks.ts"

const share = { minimum: 0, maximum: 1 }
const words = { words: true }
/** The profile stores the value for later runs. */
const saved = (value: string | number) => `saved; default ${value}`

const serveFlags = Type.Object({
  engine: Type.Optional(
    Type.Array(Type.String(), {
      ...words,
      placeholder: "kind=url",
      description:
        "add engines to the built-in one: searxng=URL, opensearch=URL/INDEX, elasticsearch=URL/INDEX, queryveil=URL",
    }),
  ),
  import: Type.Optional(
    Type.Array(Type.String(), {
      ...words,
      placeholder: "file",
      description:
        "learn first from Google Takeout's MyActivity.json, a browser's history (CSV or SQLite), or lines of JSON",
    }),
  ),
  delta: Type.Optional(
    Type.Number({ ...share, description: `allow this risk of one exposure (saved; default ${standardChoices.delta})` }),
  ),
  sessionDelta: Type.Optional(
    Type.Number({
      ...share,
      description: `allow this risk of all that an engine sees in a day (${saved(standardChoices.sessionDelta)})`,
    }),
  ),
  lifetimeDelta: Type.Optional(
    Type.Number({
      ...share,
      description:
        "allow this risk of all that an engine is ever shown; 1: no bound " +
        `(${saved(standardChoices.lifetimeDelta)})`,
    }),
  ),
  queryDelta: Type.Optional(
    Type.Number({
      ...share,
      description: `allow this risk, counting what the queries reveal; 1: no bound (${saved(1)})`,
    }),
  ),
  sensitiveQueries: Type.Optional(
    Type.Enum([...sensitiveQueryModes], {
      description:
        "before a query about a marked topic is sent, ask; or send it without the profile, or like any other " +
        `(${saved(standardChoices.sensitiveQueries)})`,
    }),
  ),
  rerank: Type.Boolean({
    description: `rank all results again here, by the whole profile (${saved("on")})`,
  }),
  noRerank: Type.Boolean({ description: "keep the order of engines that rank by exposures" }),
  algorithm: Type.Optional(
    Type.Enum([...servedAlgorithms], {
      description:
        "generalise by information weighed against risk, GreedyIL (Algorithm 1), or GreedyDP " +
        `(${saved(standardChoices.algorithm)})`,
    }),
  ),
  ...decisionFlags({ decision: standardChoices.decision, kept: saved("") }),
  learn: Type.Boolean({ description: `learn from searches and clicks (${saved("on")})` }),
  noLearn: Type.Boolean({ description: "learn nothing from use" }),
  timeout: Type.Number({ minimum: 0.1, maximum: 120, default: 8, description: "wait this many seconds for an engine" }),
  port: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 7778,
    description: "listen on this port of 127.0.0.1; 0: any free port",
  }),
  open: Type.Boolean({ description: "open the page in the browser (default on a terminal)" }),
  newToken: Type.Boolean({ description: "make a new address of the page; the old one stops working" }),
  noOpen: Type.Boolean({ description: "do not open the browser" }),
  ...profileFlags.properties,
})

/** `personal serve [PROFILE] [--engine KIND=URL…]` */
export function serveCommand(): Command {
  return defineCommand({
    name: "serve",
    summary: "serve a search page; the profile stays here, and only a generalised part goes with a query",
    argument: { syntax: "[profile]", description: "the encrypted profile; a new one is made if there is none" },
    flags: serveFlags,
    help: [
      "Flags marked saved are stored in the profile and apply to later runs too.",
      "SIGINT or SIGTERM saves the profile and ends. See docs/personal-proxy.md.",
    ].join("\n"),
    run: (session, flags, [path = standardProfile()]) => servePersonal(session, flags, path),
  })
}

async function servePersonal(session: Session, flags: Given<typeof serveFlags>, path: string): Promise<number> {
  const { cache = cacheFolder() } = flags
  const timeout = 1000 * (flags.timeout ?? 8)
  const others = (flags.engine ?? []).map((text) => parseEngine(text, { timeout }))
  const isNew = !(await isThere(path))
  const passphrase = await readPassphrase({ path, passphraseFile: flags.passphraseFile, isNew }, session)
  const searcher = topicSearcher(await openTaxonomy(flags.taxonomy, { cache }, session.context))
  const file = await openOrCreate({ path, isNew, passphrase, imports: flags.import ?? [] }, searcher, session)
  const engines = [await openBuiltIn(searcher, flags.taxonomy, cache), ...others]
  const proxy = new PersonalProxy({ file, searcher, engines, timeout, folder: cache })
  await proxy.choose({
    ...(flags.delta !== undefined && { delta: flags.delta }),
    ...(flags.sessionDelta !== undefined && { sessionDelta: flags.sessionDelta }),
    ...(flags.lifetimeDelta !== undefined && { lifetimeDelta: flags.lifetimeDelta }),
    ...(flags.queryDelta !== undefined && { queryDelta: flags.queryDelta }),
    ...(flags.sensitiveQueries !== undefined && { sensitiveQueries: flags.sensitiveQueries }),
    ...(flags.learn !== undefined && { learning: flags.learn }),
    ...(flags.rerank !== undefined && { rerank: flags.rerank }),
    ...(flags.algorithm !== undefined && { algorithm: flags.algorithm }),
    ...(flags.mu !== undefined && { mu: flags.mu }),
    ...(flags.decision !== undefined && { decision: flags.decision }),
    ...(flags.denominator !== undefined && { denominator: flags.denominator }),
    ...(others[0] !== undefined && { engine: others[0].name }),
  })
  warnOfMarks(proxy, session)
  const added = proxy.engines.map(({ name }) => name).filter((name) => proxy.isAdded(name))
  if (added.length > 0) session.note(`engines added on the page: ${added.join(", ")}.`)
  const token = await keepToken(proxy, { isNew: flags.newToken === true })
  const { openPersonal } = await import("../../../server/personal/personal-server.ts") // slow to load
  const server = await openPersonal(proxy, { port: flags.port ?? 7778, token, taxonomy: flags.taxonomy ?? wordNet })
  const url = `${urlOf(server.address)}/#token=${token}`
  session.answer("personal-serve", { url, profile: path, engines: proxy.engines.map(({ name }) => name) })
  session.say(url)
  if (flags.open ?? (canAsk() && process.stdout.isTTY)) openBrowser(url)
  await ended(session.context.signal)
  await server.close()
  await proxy.close()
  session.note("saved")
  return 0
}

/** Warns of what the marks do not cover. */
function warnOfMarks(proxy: PersonalProxy, session: Session): void {
  const costs = proxy.search.costs()
  if (costs.total === 0) session.note(`${noRisk}.`)
  const { delta, sessionDelta, lifetimeDelta } = proxy.choices()
  const bounds = [delta, sessionDelta, lifetimeDelta]
  const topics = shownInFull(costs, bounds)
  if (topics.length > 0) session.warn(sayInFull(topics, Math.min(...bounds)))
}

/**
 * The access token. It stays the same between runs, so that a browser that knows it can search. It is stored in the
 * encrypted profile.
 */
async function keepToken(proxy: PersonalProxy, { isNew }: { isNew: boolean }): Promise<string> {
  const { token: known } = proxy.store.settings
  if (typeof known === "string" && known.length >= 32 && !isNew) return known
  const token = randomBytes(24).toString("base64url")
  proxy.store.settings = { ...proxy.store.settings, token }
  await proxy.save()
  return token
}

/** The built-in engine, which needs nothing else installed. Its index is cached. */
export function openBuiltIn(
  searcher: TopicSearcher,
  taxonomy: string | undefined,
  folder: string,
): Promise<SearchEngine> {
  const isWordNet = taxonomy === undefined || taxonomy === wordNet
  return builtIn(searcher, { folder, ...(isWordNet && { linkOf: wordNetLink }) })
}

export function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve(), { once: true })
  })
}

/** Opens the person's browser, if there is one. The address is printed anyway. */
export function openBrowser(url: string): void {
  const program = process.platform === "darwin" ? "open" : process.platform === "win32" ? "explorer" : "xdg-open"
  spawn(program, [url], { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref()
}
