import type { DraftView, Explore, Job, StudioState } from "#dist/app/project/studio-schema.js"
import type { Asked } from "./page-server.ts"

type Point = Explore["points"][number]

const point = (name: string, [gain, use]: [number, number], parts: Partial<Point> = {}): Point => ({
  id: `sample-${name.replaceAll(/\W/g, "")}`,
  of: "sample",
  method: "equality",
  parameters: { k: Number(name.split(" ").at(-1)) },
  name,
  raw: false,
  risk: { value: gain, low: gain / 2, high: gain * 1.5, attack: "profile/name" },
  attacker: "knows earlier searches, finds the person behind a name",
  uses: { events: { value: use, low: use, high: use, original: 1 } },
  front: true,
  state: "passed",
  report: true,
  ...parts,
})

const points = [
  point("raw log", [0.6, 1], { raw: true, parameters: { k: 1 } }),
  point("equality, k 2", [0.2, 0.7]),
  point("equality, k 5", [0.1, 0.5]),
  point("equality, k 50", [0.01, 0.3], { of: "whole" }),
]

const explore: Explore = {
  use: "events",
  maxRisk: 0.05,
  points,
  advice: { point: points[3]?.id ?? "", reasons: ["It keeps most."], notChecked: ["Other attacks."] },
  uses: { events: { title: "searches kept", keeps: "searches", better: "higher" } } as Explore["uses"],
  methods: [
    {
      name: "equality",
      summary: "release common queries",
      releases: "rows",
      options: [
        { key: "k", says: "require this many users", minimum: 1, maximum: 1000, default: 10 },
        { key: "time", says: "cut times", values: ["hour", "day"], default: "hour" },
      ],
    },
  ],
}

/** More rows than a page has. */
const rows = Array.from({ length: 120 }, (_, i) => [`u${i}`, i % 3 === 0 ? "rain \u202eradar" : "<b>train</b> times"])

const draft: DraftView = {
  stale: false,
  seeded: true,
  choice: { method: "equality", parameters: { k: 50 } },
  statement: "Every released query was issued by at least 50 users.",
  notCovered: ["a history of several common queries"],
  files: [{ name: "log.tsv", rows: rows.length, columns: ["user", "query"] }],
  withheld: [{ reason: "queries under k", rows: 70 }],
  warnings: [],
  empty: false,
}

/** A project with a frontier and a draft. Jobs are done as soon as they are started. */
export class SyntheticProject {
  readonly asked: Asked[] = []
  #jobs: Job[] = []
  #choice: { method: string; parameters: Record<string, string | number | boolean> } = {
    method: "equality",
    parameters: { k: 50 },
  }

  readonly answer = (asked: Asked) => {
    this.asked.push(asked)
    return { status: 200, body: this.#answer(asked) }
  }

  /** The bodies of requests to a path. */
  bodiesOf(path: string): unknown[] {
    return this.asked.filter((asked) => asked.path === path).map(({ body }) => JSON.parse(body))
  }

  #answer({ path, body }: Asked): unknown {
    const kind = /^\/api\/jobs\/(compare|explain|explore|draft)$/.exec(path)?.[1] as Job["kind"] | undefined
    if (kind !== undefined) return this.#start(kind, JSON.parse(body))
    if (path === "/api/choice") this.#choice = JSON.parse(body)
    if (path === "/api/explore") return explore
    if (path === "/api/register") return { releases: [], overlaps: [], ledger: [], broken: [], record: [] }
    if (path === "/api/draft") return draft
    if (path === "/api/draft/rows") return pageOf(JSON.parse(body))
    return path === "/api/events" ? {} : this.#state()
  }

  #start(kind: Job["kind"], body: { points?: string[]; query?: string }): Job {
    const { points: compared = [], query = "" } = body
    const queries = [
      { users: 2, searches: 3, shape: "••• ###", shown: [0, 0] },
      { users: 90, searches: 120, text: "train times", shape: "••• •••", shown: [110, null] },
    ]
    const explained = {
      ...{ method: "equality", query, users: 7, searches: 9, verdict: "not released", chance: { low: 0, high: 0 } },
      ...{ reasons: ["7 users issued it, fewer than k = 50."], warnings: [], facts: {}, tables: {}, identifiers: [] },
      parameters: {},
      changes: [
        {
          ...{ verdict: "released", chance: { low: 1, high: 1 }, options: { k: 7 }, smallest: true },
          price: "The promise becomes weaker.",
        },
      ],
    }
    const result = kind === "compare" ? { points: compared, queries } : kind === "explain" ? explained : undefined
    const at = new Date(this.asked.length).toISOString()
    const job: Job = { id: `j${this.asked.length}`, kind, label: kind, state: "done", created: at }
    if (result !== undefined) job.result = result
    this.#jobs = [...this.#jobs.filter((other) => other.kind !== kind), job]
    return job
  }

  #state(): StudioState {
    const product = { stale: false, at: "2026-01-01T00:00:00Z" }
    const { method, parameters } = this.#choice
    return {
      project: { id: "0".repeat(32), folder: "/p", created: "", revision: 1, version: "", demo: false },
      folders: [],
      log: {
        files: [{ path: "/log.tsv", bytes: 1, state: "same" }],
        reading: {},
        person: "login",
        read: {
          ...product,
          ...{ rows: 9, events: 9, users: 9, queries: 9, urls: 0, rejected: 0, span: null },
          ...{ readings: [], warnings: [], doubts: [], unit: "user" },
        },
      },
      exposure: product,
      exempt: 0,
      purpose: { use: "events", maxRisk: 0.05, recipient: "" },
      explore: { sample: product, whole: product, points: points.length },
      choice: { method, parameters, name: `${method} with k ${parameters.k}` },
      budget: null,
      draft: { ...product, method, parameters },
      releases: 0,
      jobs: this.#jobs,
      disk: { bytes: 0, parts: {} },
      commands: { explore: ["queryveil advise"], preview: ["queryveil explain"] } as StudioState["commands"],
    }
  }
}

function pageOf({ page, search = "" }: { page: number; search?: string }) {
  const found = rows.filter((row) => row.some((cell) => cell.includes(search)))
  const shown = found.slice(50 * page, 50 * page + 50)
  return { columns: ["user", "query"], rows: shown, matching: found.length, total: rows.length }
}
