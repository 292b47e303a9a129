import type { ServerResponse } from "node:http"
import type { Exposure, Job, Look, StudioState } from "../../web/studio/answers.ts"
import type { Columns, Entry, StudioEvent } from "../../web/studio/api.ts"
import type { Asked } from "./page-server.ts"
import { emptyState } from "./studio-state.ts"

export const studioToken = "synthetic-token-of-the-test"

/** The texts of masked samples, by id. They are only in answers to `unmask`. */
export const maskedTexts: Readonly<Record<number, string>> = {
  1: "jane.roe@example.org <b>contact</b>",
  2: "somebody@example.net",
}

const part = (share: number) => ({ queries: 1000, queryShare: share, events: 2000, eventShare: share })

/** The server of a studio with a synthetic project. Answers as the schemas say, and keeps what it was asked. */
export class SyntheticStudio {
  state: StudioState = emptyState()
  readonly asked: Asked[] = []
  reachable = true
  /** Answers the next change with this error. */
  refusal: { status: number; code: string; message: string } | undefined
  readonly #listeners = new Set<ServerResponse>()

  readonly answer = (asked: Asked) => {
    if (!this.reachable) return undefined
    if (asked.token !== studioToken) return { status: 401, body: { code: "token", message: "The token is wrong." } }
    this.asked.push(asked)
    if (asked.path === "/api/events") return { status: 200, body: null, stream: this.#listen }
    if (asked.method !== "GET" && this.refusal !== undefined) {
      const { status, ...body } = this.refusal
      this.refusal = undefined
      return { status, body }
    }
    const body = this.#reply(`${asked.method} ${asked.path}`, asked.body === "" ? {} : JSON.parse(asked.body))
    return body === undefined ? { status: 404, body: { message: "No such route." } } : { status: 200, body }
  }

  /** The bodies that were sent to a route. */
  sent(method: string, path: string): unknown[] {
    return this.asked
      .filter((asked) => asked.method === method && asked.path === path)
      .map(({ body }) => (body === "" ? undefined : JSON.parse(body)))
  }

  get listeners(): number {
    return this.#listeners.size
  }

  emit(event: StudioEvent): void {
    for (const response of this.#listeners) response.write(`${JSON.stringify(event)}\n`)
  }

  /** Breaks the connections of all listeners. */
  breakOff(): void {
    for (const response of this.#listeners) response.destroy()
    this.#listeners.clear()
  }

  /** Replaces a job, in the state and by an event. */
  setJob(job: Job): void {
    this.state = { ...this.state, jobs: [...this.state.jobs.filter(({ id }) => id !== job.id), job] }
    this.emit({ job })
  }

  readonly #listen = (response: ServerResponse) => {
    this.#listeners.add(response)
    response.on("close", () => this.#listeners.delete(response))
  }

  #reply(route: string, body: Record<string, unknown>): unknown {
    switch (route) {
      case "GET /api/state":
        return this.state
      case "POST /api/files":
        return { path: body.path, entries: entriesOf(Number(body.folder), String(body.path)) }
      case "POST /api/look":
        return lookAt(body.files as string[])
      case "PUT /api/log":
        return this.#readLog(body as { files: string[]; columns: Columns; person: "login" })
      case "GET /api/exposure":
        return exposureOf(this.state)
      case "POST /api/unmask":
        return { samples: (body.samples as number[]).map((id) => ({ id, text: maskedTexts[id] })) }
      case "PUT /api/exempt":
        return this.#change({ exempt: this.state.exempt + (body.add as number[]).length })
      case "PUT /api/purpose": {
        const { revision: _, ...purpose } = body
        return this.#change({ purpose: purpose as StudioState["purpose"] })
      }
      case "DELETE /api/jobs/read-1": {
        const job = this.state.jobs.find(({ id }) => id === "read-1")
        if (job !== undefined) this.setJob({ ...job, state: "cancelled" })
        return job
      }
      default:
        return undefined
    }
  }

  #change(set: Partial<StudioState>): StudioState {
    const project = { ...this.state.project, revision: this.state.project.revision + 1 }
    this.state = { ...this.state, ...set, project }
    return this.state
  }

  #readLog({ files, columns, person }: { files: string[]; columns: Columns; person: "login" }): Job {
    const reading = {
      columns: Object.entries(columns)
        .map((pair) => pair.join("="))
        .join(","),
    }
    const chosen = files.map((path) => ({ path, bytes: 4711, state: "same" as const }))
    const job: Job = {
      id: "read-1",
      kind: "read",
      label: "Reading the log",
      state: "running",
      created: "2026-01-01T00:00:00Z",
      progress: { says: "reading rows", share: 0.25, secondsLeft: 65, rowsPerSecond: 812_345 },
    }
    this.#change({ log: { files: chosen, reading, person, read: null }, jobs: [job] })
    return job
  }
}

function entriesOf(folder: number, path: string): Entry[] {
  if (folder > 0 || path !== "") return [{ name: "march.csv", kind: "file", bytes: 4_711_000 }]
  return [
    { name: "visits.csv", kind: "file", bytes: 12_345_678 },
    { name: "\u202evsc.<img src=x>", kind: "file", bytes: 12 },
    { name: "2025", kind: "folder", bytes: 0 },
  ]
}

const lookAt = (files: string[]): Look => ({
  files: files.map((path) => ({ path, bytes: 4711 })),
  format: "delimited",
  columns: [
    { place: "visitor_ref", name: "visitor_ref", examples: ["a9999", "a9999"] },
    { place: "phrase", name: "phrase", examples: ["aaaa aaa", "aaaa"], means: "query" },
    { place: "when", name: "when", examples: ["9999-99-99", "9999-99-99"], means: "time" },
    { place: "session_id", name: "session_id", examples: ["9999", "9999"] },
  ],
  readings: [],
})

function exposureOf(state: StudioState): Exposure {
  const masked = (id: number) => ({ id, users: 1, words: 2, shape: "•••@•••.org •••", exempt: false })
  return {
    stale: state.exposure?.stale ?? false,
    sentence: "97.9 % of users issued a query that nobody else did.",
    clearFrom: 10,
    inspection: {
      size: { rows: 200_000, events: 180_000, users: 5432, queries: 91_000, urls: 31_000 },
      lengths: [1, 2, 3, 4, 5].map((words) => ({ words, orMore: words === 5, ...part(0.2) })),
      ngrams: {
        leastUsers: 1,
        lengths: [1, 2, 3].map((n) => ({ n, unique: 500, total: 9000, frequent: { unique: 400, total: 8000 } })),
      },
      exposure: {
        queries: [2, 5, 10, 100].map((fewerThan) => ({ fewerThan, ...part(0.88) })),
        usersWithUniqueQuery: { users: 5318, share: 0.979 },
      },
      identifiers: [
        { kind: "email", queries: 120, events: 140, rows: 150 },
        { kind: "any", queries: 120, events: 140, rows: 150 },
      ],
    },
    kinds: [
      {
        kind: "email",
        says: "e-mail addresses",
        queries: 120,
        events: 140,
        samples: [
          { id: 0, users: 23, words: 1, shape: "•••@•••.com", text: "support@example.com", exempt: false },
          masked(1),
          masked(2),
        ],
      },
    ],
  }
}
