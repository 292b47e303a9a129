import type { Job, RegisterView, StudioState } from "../../web/studio/answers.ts"
import type { Asked } from "./page-server.ts"
import { readState } from "./studio-state.ts"
import { SyntheticStudio } from "./synthetic-studio.ts"

type Release = RegisterView["releases"][number]
type Summary = NonNullable<Release["summary"]>

/** The first page of a synthetic report: the promise is kept, and an attack found more than chance. */
export const summaryOf = (more: Partial<Summary> = {}): Summary => ({
  release: "1",
  manifest: "a".repeat(64),
  method: "equality",
  seeded: false,
  made: "2026-01-01T10:00:00.000Z",
  judged: "2026-01-01T11:00:00.000Z",
  original: "same",
  statement: "Every released query text was issued by at least 10 different users of the log.",
  protects: "one query text, whoever issued it",
  notCovered: ["a history: several common queries of one person", "users who are several accounts of one person"],
  promise: { kept: "yes", sentence: "Every check passed.", open: [], empty: false },
  attacks: {
    state: "above chance",
    sentence: "1 of 5 attacks that ran gained more than chance.",
    caveats: ["4 of 9 attacks could not run: linkage, intersection, dp-audit, interests."],
    meanings: ["An attacker who knows earlier searches recognises a later one in 4 of 100 cases."],
    acceptedRisk: 0.1,
  },
  left: ["The release shows 6.4 % of the searches."],
  readings: ["read as delimited: user=visitor_ref, query=phrase, time=when"],
  ...more,
})

export function releaseOf(name: string, more: Partial<Release> = {}): Release {
  const summary = summaryOf()
  return {
    name,
    id: name,
    method: "equality",
    parameters: { k: 10 },
    made: "2026-01-01T10:00:00.000Z",
    rows: 1234,
    state: "open",
    summary,
    accept: [...summary.notCovered, ...summary.attacks.meanings],
    handedOut: [],
    fingerprints: { manifest: "a".repeat(64), receipt: "b".repeat(64), report: "c".repeat(64) },
    ...more,
  }
}

const routes = ["/api/register", "/api/budget", "/api/sign", "/api/refuse", "/api/hand-out", "/api/delete"]

/** A studio with a register. Draws and reports are jobs that `finish` ends. */
export class SyntheticRegister {
  readonly studio = new SyntheticStudio()
  register: RegisterView = { releases: [], overlaps: [], ledger: [], broken: [], record: [] }
  #asked: { kind: Job["kind"]; id: string; name: string } | undefined

  constructor(set: Partial<StudioState> = {}) {
    this.studio.state = {
      ...readState(),
      purpose: { use: "queries", maxRisk: 0.1, recipient: "a university" },
      choice: { method: "equality", parameters: { k: 10 }, name: "equality, k = 10" },
      ...set,
    }
  }

  /** Adds releases, as if they had been made before. */
  with(...releases: Release[]): this {
    this.register.releases.push(...releases)
    this.studio.state = { ...this.studio.state, releases: this.register.releases.length }
    return this
  }

  readonly answer = (asked: Asked) => {
    const isOwn = routes.includes(asked.path) || (asked.method === "POST" && asked.path.startsWith("/api/jobs/"))
    const usual = this.studio.answer(asked)
    if (!isOwn || usual?.status === 401) return usual
    const given: Record<string, string> = asked.body === "" ? {} : JSON.parse(asked.body)
    return { status: 200, body: this.#reply(asked.path, given) }
  }

  /** Ends the job that the page asked for last. */
  finish(result?: unknown): void {
    const { kind, id, name } = this.#asked ?? { kind: "release" as const, id: "", name: "" }
    if (kind === "release") this.with({ ...without(releaseOf(name)), accept: [] })
    if (kind === "report") {
      this.register.releases = this.register.releases.map((one) => (one.name === name ? releaseOf(name) : one))
    }
    const job = this.studio.state.jobs.find((one) => one.id === id)
    if (job !== undefined) this.studio.setJob({ ...job, state: "done", ...(result !== undefined && { result }) })
    this.studio.emit({ changed: "register" })
  }

  #reply(path: string, given: Record<string, string>): unknown {
    if (path === "/api/register") return this.register
    if (path === "/api/budget") return this.#setBudget(given)
    if (path === "/api/sign") return this.#decide("signed", given)
    if (path === "/api/refuse") return this.#decide("refused", given)
    if (path === "/api/hand-out") return { to: given.to, files: [{ path: "queries.tsv", sha256: "d".repeat(64) }] }
    if (path === "/api/delete") return { kept: "/srv/projects/spring-release" }
    return this.#start(path.split("/").at(-1) as Job["kind"], given)
  }

  #setBudget({ epsilon = "", delta = "" }: Record<string, string>): StudioState {
    this.studio.state = { ...this.studio.state, budget: { epsilon, delta } }
    return this.studio.state
  }

  #decide(state: "signed" | "refused", { release = "", name = "", reason = "" }: Record<string, string>) {
    const decision = { name, date: "2026-01-02", reason }
    const { releases, record } = this.register
    this.register = {
      ...this.register,
      releases: releases.map((one) => (one.name === release ? { ...one, state, decision } : one)),
      record: [{ number: record.length + 1, at: "", says: `${name} ${state} ${release}: ${reason}` }, ...record],
    }
    return this.register
  }

  #start(kind: Job["kind"], { name = "" }: Record<string, string>): Job {
    const id = `${kind}-${this.studio.asked.length}`
    const job: Job = { id, kind, label: kind, state: "running", created: new Date().toISOString() }
    this.#asked = { kind, id, name }
    this.studio.setJob(job)
    return job
  }
}

function without({ summary: _, ...release }: Release): Release {
  return release
}
