import type {
  Exposed,
  FoundTopic,
  Held,
  Marks,
  Proposal,
  Result,
  SearchAnswer,
  SeedTopic,
  SensitiveTopic,
  Shown,
  State,
  Topic,
} from "../../web/personal/answers.ts"
import type { Settings, Tried } from "../../web/personal/api.ts"
import type { Asked } from "./page-server.ts"

export const token = "synthetic-token-of-the-test"

const top = "entity/physical entity/object"
/** Parents come before their children. Costs are the risks of showing a topic. */
const topics = [
  ["", 1, 0.01],
  ["entity", 1, 0],
  ["entity/physical entity", 1, 0],
  [top, 1, 0.01],
  [`${top}/animal`, 0.62, 0.02],
  [`${top}/animal/cat`, 0.5, 0.05],
  [`${top}/animal/cat/big cat`, 0.41, 0.04],
  [`${top}/animal/cat/big cat/jaguar`, 0.3, 0.12],
  [`${top}/animal/cat/big cat/leopard`, 0.004, 0.1],
  [`${top}/animal/bird`, 0.12, 0.15],
  [`${top}/vehicle`, 0.31, 0.03],
  [`${top}/vehicle/car`, 0.28, 0.06],
  [`${top}/vehicle/car/sports car`, 0.11, 0.2],
  [`${top}/substance/medicine/heart medicine, of a name that goes on for longer than a line`, 0.07, 0.3],
] as const
const nameOf = (path: string) => path.split("/").at(-1) ?? ""
const parentOf = (path: string): number => {
  for (let above = path; above !== ""; ) {
    above = above.includes("/") ? above.slice(0, above.lastIndexOf("/")) : ""
    const at = topics.findIndex(([path]) => path === above)
    if (at >= 0) return at
  }
  return -1
}

const made = (title: string, rank: number, before: number, more: Partial<Result> = {}): Result => ({
  title,
  url: `https://${title.toLowerCase().replaceAll(/[^a-z]+/g, "-")}.example/about/${before}`,
  snippet: [
    `${title}: what there is to know about it, in a sentence or two of synthetic text`,
    "that are long enough to be broken into several lines of the list of results.",
  ].join(" "),
  rank,
  before,
  ...more,
})
const results = [
  made("Jaguars of the Pantanal", 1, 4, { topic: `${top}/animal/cat/big cat/jaguar` }),
  made("Jaguar", 2, 1, { topic: `${top}/vehicle/car` }),
  made("Big cats, a field guide", 3, 7, { topic: `${top}/animal/cat/big cat` }),
  made("<b>Bold</b> <img src=x onerror=alert(1)> cats", 4, 2, { snippet: "<script>alert(1)</script> & more" }),
  made("Click me", 5, 5, { url: null, snippet: "Its address was javascript:alert(1)." }),
  made("Sports cars", 6, 3, { topic: `${top}/vehicle/car/sports car` }),
  made("A word of the dictionary", 7, 6, {
    url: `https://dictionary.example/${"a-very-long-part-of-an-address-".repeat(6)}/x`,
  }),
]

/** What the page may send. Each request has some of it. */
interface Body {
  query: string
  delta: number
  engine: string
  path: string
  sensitivity: number
  never: boolean
  mark: string[]
  choice?: string
  day: string
  text: string
  name: string
  kind: string
  url: string
}

/** A proxy with an invented profile, engines and history. What it shows depends on δ and on marks, by its own rules. */
export class SyntheticProxy {
  readonly asked: Asked[] = []
  reachable = true
  isEmpty = false
  learned: string | null = `${top}/animal/cat/big cat/jaguar`
  problem: SearchAnswer["problem"]
  extra: Partial<Exposed> = {}
  settings: Settings = {
    engine: "built-in",
    delta: 0.2,
    sessionDelta: 0.5,
    lifetimeDelta: 0.6,
    queryDelta: 1,
    sensitiveQueries: "send",
    learning: true,
    welcomed: true,
  }
  /** Engines that were added on the page. */
  added: string[] = []
  /** The answer of an added engine to the test word. */
  trial: Tried = { query: "weather", results: 10 }
  /** The uploaded bytes. */
  uploaded: string[] = []
  never: string[] = []
  proposals: Proposal[] = []
  inFull: State["inFull"] = []
  held: Held | undefined
  sensitive: SensitiveTopic[] = [{ path: `${top}/animal/bird`, sensitivity: 0.6 }]
  history: Shown[] = Array.from({ length: 7 }, (_, i) => ({
    id: 7 - i,
    time: Date.UTC(2026, 2, i < 4 ? 14 : 13, 20 - i, 11) / 1000,
    engine: i % 3 === 2 ? "searxng" : "built-in",
    query: ["jaguar speed", "big cat habitat", "used sports car"][i % 3] ?? "",
    exposure: i % 4 === 3 ? [] : ["entity", top, `${top}/animal`, `${top}/animal/cat`],
    risk: i % 4 === 3 ? 0 : 0.09 + 0.01 * i,
    delta: 0.2,
  }))
  days = [
    { day: "2026-03-14", documents: 12 },
    { day: "2026-03-13", documents: 1 },
  ]

  readonly answer = (asked: Asked) => {
    this.asked.push(asked)
    if (!this.reachable) return undefined
    if (asked.token !== token) return { status: 403, body: { message: "No token.", code: "token" } }
    if (asked.path === "/api/import") return this.#import(asked.body)
    const body = asked.body === "" ? {} : JSON.parse(asked.body)
    const reply = this.#routes[`${asked.method} ${asked.path}`]
    if (reply === undefined) return { status: 404, body: { message: "There is no such thing.", code: "not-found" } }
    return reply(body, asked.search)
  }

  /** Bodies of the requests of this kind, in order. */
  bodies(method: string, path: string) {
    return this.asked
      .filter((asked) => asked.method === method && asked.path === path)
      .map(({ body }) => JSON.parse(body))
  }

  readonly #routes: Record<string, (body: Body, search: URLSearchParams) => { status: number; body: unknown }> = {
    "GET /api/state": () => ok(this.#state()),
    "POST /api/preview": ({ query, delta }) => ok(this.#expose(query, delta)),
    "POST /api/search": ({ query, delta, engine, choice }) => {
      const isHeld = this.held !== undefined && choice === undefined
      const found = this.problem === undefined && !this.isEmpty && !isHeld ? results : []
      return ok({
        ...this.#expose(query, delta),
        results: found,
        original: found.toSorted((a, b) => a.before - b.before),
        engine,
        milliseconds: { engine: 41.2, proxy: 3.4 },
        sent: engine === "built-in" && !isHeld,
        ...(isHeld && { held: this.held }),
        ...(this.problem !== undefined && { problem: this.problem }),
      })
    },
    "GET /api/topics": (_, search) => ok(this.isEmpty ? [] : this.#children(search.get("path") ?? "")),
    "POST /api/topics/find": ({ text }) => ok(this.#find(text)),
    "POST /api/engines": ({ kind, url }) => {
      if (!url.startsWith("https://"))
        return refused(`${kind}: http:// would send queries in plain text. Use https://, or a tunnel to localhost.`)
      const name = `${kind} ${new URL(url).host}`
      this.added = [...this.added, name]
      return ok({ name, state: this.#state() })
    },
    "POST /api/engines/try": () => ok(this.trial),
    "DELETE /api/engines": (_, search) => {
      this.added = this.added.filter((name) => name !== search.get("name"))
      return ok(this.#state())
    },
    "PUT /api/sensitive": ({ path, sensitivity }) => {
      const others = this.sensitive.filter((topic) => topic.path !== path)
      const overlap = others.find((topic) => topic.path.startsWith(`${path}/`) || path.startsWith(`${topic.path}/`))
      if (overlap !== undefined && sensitivity > 0)
        return {
          status: 409,
          body: { message: `${nameOf(overlap.path)} is already marked, and is on the same path.`, code: "overlap" },
        }
      this.sensitive = sensitivity > 0 ? [...others, { path, sensitivity }] : others
      return ok(this.#marks())
    },
    "PUT /api/never": ({ path, never }) => {
      this.never = [...this.never.filter((other) => other !== path), ...(never ? [path] : [])]
      return ok(this.#marks())
    },
    "POST /api/proposals": ({ mark }) => {
      this.proposals = []
      this.sensitive = [...this.sensitive, ...mark.map((path) => ({ path, sensitivity: 1 }))]
      return ok(this.#state())
    },
    "PUT /api/settings": (body) => {
      this.settings = { ...this.settings, ...body }
      return ok(this.#state())
    },
    "POST /api/click": () => ok({ learned: this.learned }),
    "POST /api/learned/undo": () => ok({ forgotten: 1 }),
    "GET /api/history": (_, search) => {
      const before = Number(search.get("before") ?? Number.POSITIVE_INFINITY)
      const older = this.history.filter(({ id }) => id < before)
      return ok({ entries: older.slice(0, 5), more: older.length > 5 })
    },
    "GET /api/history/export": () => ok(this.history),
    "DELETE /api/history": (_, search) => {
      const day = search.get("day")
      this.history =
        day === null ? [] : this.history.filter(({ time }) => !new Date(1000 * time).toISOString().startsWith(day))
      return ok({})
    },
    "GET /api/days": () => ok(this.days),
    "POST /api/forget": ({ day }) => {
      this.days = this.days.filter((one) => one.day !== day)
      return ok(this.#state())
    },
  }

  #import(text: string) {
    this.uploaded.push(text)
    if (!text.startsWith("url,")) return refused("Your file: no searches or pages were found.")
    this.isEmpty = false
    return ok({ documents: 5, placed: 4, state: this.#state() })
  }

  #find(text: string): FoundTopic[] {
    return topics
      .filter(([path]) => nameOf(path).startsWith(text))
      .map(([path, share]) => ({
        path,
        name: nameOf(path),
        text: `${nameOf(path)}: what the taxonomy says about it.`,
        support: this.isEmpty ? 0 : Math.round(1230 * share),
        sensitive: this.#sensitivityOf(path),
        never: this.never.includes(path),
        children: 0,
      }))
  }

  #state(): State {
    return {
      profile: this.isEmpty ? { topics: 0, searches: 0, days: 0 } : { topics: 214, searches: 1230, days: 41 },
      engines: [
        { name: "built-in", kind: "built-in", added: false, acceptsExposure: true, ...this.#risks() },
        { name: "searxng", kind: "searxng", added: false, acceptsExposure: false, ...this.#risks() },
        ...this.added.map((name) => {
          return { name, kind: "searxng", added: true, acceptsExposure: false, ...this.#risks() }
        }),
      ],
      ...this.settings,
      ...this.#marks(),
      proposals: this.proposals,
      taxonomy: "wordnet",
      mostUploaded: 1 << 20,
    }
  }

  #marks(): Marks {
    const sensitive = this.isEmpty ? [] : this.sensitive
    return { sensitive, never: this.never, floor: sensitive.length === 0 ? null : 0.02, inFull: this.inFull }
  }

  #risks() {
    const isCounted = this.#marks().floor !== null
    return { lifetimeRisk: isCounted ? 0.31 : null, queryRisk: isCounted ? 0.74 : null }
  }

  #expose(query: string, delta: number): Exposed {
    const kept: boolean[] = []
    let risk = 0
    for (const [path, , cost] of topics) {
      const above = parentOf(path)
      const isOpen = this.#sensitivityOf(path) === 0 && !this.never.includes(path)
      const isKept = (above < 0 || kept[above] === true) && isOpen && risk + cost <= delta
      if (isKept) risk += cost
      kept.push(isKept)
    }
    const seed: SeedTopic[] = topics.map(([path, share], i) => ({
      path,
      name: path === "" ? "" : nameOf(path),
      parent: parentOf(path),
      share,
      exposed: kept[i] === true,
      sensitive: this.#sensitivityOf(path),
      never: this.never.some((one) => path === one || path.startsWith(`${one}/`)),
      relevant: /jaguar$/.test(path),
    }))
    const isExposed = kept[3] === true && !this.isEmpty
    const isCounted = this.#marks().floor !== null
    return {
      query,
      exposure: isExposed ? topics.map(([path]) => path).filter((path, i) => path !== "" && kept[i] === true) : [],
      decision: isExposed ? "exposed" : "nothing",
      ...(this.isEmpty && { reason: "Your profile has no topic of this query." }),
      ...(!this.isEmpty && !isExposed && { reason: "Showing even the broadest topic is over δ." }),
      about: this.held === undefined ? [] : [{ path: `${top}/animal/bird`, name: "bird", share: 0.31 }],
      risk: isCounted ? (isExposed ? risk : 0) : null,
      sessionRisk: isCounted ? 0.23 : null,
      ...this.#risks(),
      delta,
      sessionDelta: this.settings.sessionDelta,
      lifetimeDelta: this.settings.lifetimeDelta,
      queryDelta: this.settings.queryDelta,
      dp: isExposed ? 0.41 + risk : 0.41,
      dpWithout: 0.41,
      utility: isExposed ? risk : 0,
      seed: this.isEmpty ? [] : isExposed ? seed : seed.map((topic) => ({ ...topic, exposed: false })),
      ...this.extra,
    }
  }

  readonly #sensitivityOf = (path: string) => this.sensitive.find((topic) => topic.path === path)?.sensitivity ?? 0

  #children(path: string): Topic[] {
    const parent = topics.findIndex((topic) => topic[0] === path)
    return topics
      .filter(([child]) => parentOf(child) === parent)
      .map(([child, share]) => ({
        path: child,
        name: nameOf(child),
        support: Math.round(1230 * share),
        sensitive: this.#sensitivityOf(child),
        never: this.never.includes(child),
        children: topics.filter(([below]) => below !== "" && topics[parentOf(below)]?.[0] === child).length,
      }))
  }
}

const refused = (message: string) => ({ status: 400, body: { message, code: "option-value" } })
const ok = (body: unknown) => ({ status: 200, body })
