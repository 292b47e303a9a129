import { answerMessage } from "../shared/answer-message.ts"
import type { DraftView, Explore, Exposure, Job, Look, RegisterView, RowsPage, StudioState } from "./answers.ts"

/** The storage key under which a tab keeps the token. */
export const tokenName = "queryveil-studio-token"

/**
 * `refused`: the token is missing or wrong. `unreachable`: there is no answer. `stale`: the project was changed
 * elsewhere. `failed`: the server refuses, and says why.
 */
export class ApiError extends Error {
  readonly kind: "refused" | "unreachable" | "stale" | "failed"
  readonly code: string

  constructor(kind: ApiError["kind"], message: string, code = "") {
    super(message)
    this.kind = kind
    this.code = code
  }
}

/** A file or folder of the folders that may be chosen from. */
export interface Entry {
  name: string
  kind: "folder" | "file"
  bytes: number
}

/** What the server says while the page is open. */
export type StudioEvent = { job: Job } | { changed: "state" | "points" | "register" }

/** Who decides about which release and why, with the fingerprints of what they read. */
interface Decision {
  release: string
  seen: { manifest: string; report: string }
  name: string
  reason: string
}

/** Options of a method, by name. */
export type Values = Record<string, string | number | boolean>

/** The columns of the log that a person chose. */
export type Columns = Partial<Record<"user" | "query" | "time" | "rank" | "url", string>>

/** The studio's JSON API. Every call throws an ApiError if it does not succeed. Text is only ever in a body. */
export class Api {
  readonly #token: string

  constructor(token: string) {
    this.#token = token
  }

  state = () => this.#json<StudioState>("GET", "/api/state")
  files = (folder: number, path: string) =>
    this.#json<{ path: string; entries: Entry[] }>("POST", "/api/files", { folder, path })
  look = (files: readonly string[], format?: string) =>
    this.#json<Look>("POST", "/api/look", { files, ...(format && { format }) })
  chooseLog = (body: {
    revision: number
    files: readonly string[]
    columns: Columns
    format?: string
    encoding?: string
    person: "login" | "cookie" | "session"
    userConfirmed: true
  }) => this.#json<Job>("PUT", "/api/log", body)
  exposure = () => this.#json<Exposure>("GET", "/api/exposure")
  unmask = (samples: readonly number[]) =>
    this.#json<{ samples: { id: number; text: string }[] }>("POST", "/api/unmask", { samples })
  exempt = (revision: number, change: { add: readonly number[]; remove: readonly number[] }) =>
    this.#json<StudioState>("PUT", "/api/exempt", { revision, ...change })
  purpose = (revision: number, purpose: NonNullable<StudioState["purpose"]>) =>
    this.#json<StudioState>("PUT", "/api/purpose", { revision, ...purpose })
  choose = (revision: number, choice: { method: string; parameters: Values }) =>
    this.#json<StudioState>("PUT", "/api/choice", { revision, ...choice })
  budget = (revision: number, budget: { epsilon: string; delta?: string }) =>
    this.#json<StudioState>("PUT", "/api/budget", { revision, ...budget })
  explore = () => this.#json<Explore>("GET", "/api/explore")
  draft = () => this.#json<DraftView>("GET", "/api/draft")
  rows = (body: { file?: string; page: number; sort?: string; descending?: boolean; search?: string }) =>
    this.#json<RowsPage>("POST", "/api/draft/rows", body)
  register = () => this.#json<RegisterView>("GET", "/api/register")
  sign = (body: Decision & { accept: readonly string[] }) => this.#json<RegisterView>("POST", "/api/sign", body)
  refuse = (body: Decision) => this.#json<RegisterView>("POST", "/api/refuse", { ...body, accept: [] })
  handOut = (release: string, to: string) =>
    this.#json<{ to: string; files: { path: string; sha256: string }[] }>("POST", "/api/hand-out", { release, to })
  deleteProject = (id: string) => this.#json<{ kept: string }>("POST", "/api/delete", { id })

  /** Starts a job: inspect, explore, compare, draft, explain, release, report or overlap. */
  start = (kind: Exclude<Job["kind"], "read">, body: object = {}) => this.#json<Job>("POST", `/api/jobs/${kind}`, body)
  job = (id: string) => this.#json<Job>("GET", `/api/jobs/${id}`)
  cancel = (id: string) => this.#json<Job>("DELETE", `/api/jobs/${id}`)

  /**
   * Calls `onEvent` for each event until `signal` stops it, and `onOpen` before the first one. Returns when the
   * connection ends, or throws if it breaks.
   */
  async listen(
    onEvent: (event: StudioEvent) => void,
    { signal, onOpen }: { signal: AbortSignal; onOpen?: () => void },
  ): Promise<void> {
    const response = await this.#ask("GET", "/api/events", undefined, signal)
    onOpen?.()
    if (response.body === null) return
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ""
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const lines = (rest + value).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) if (line !== "") onEvent(JSON.parse(line))
    }
  }

  async #ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    let response: Response
    try {
      response = await fetch(path, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      })
    } catch {
      throw new ApiError("unreachable", "The studio does not answer. Is queryveil studio still running?")
    }
    if (response.ok) return response
    const text = await response.text()
    const code = codeOf(text)
    const kind = code === "token" ? "refused" : code === "project-changed" ? "stale" : "failed"
    throw new ApiError(kind, answerMessage(text) ?? `The studio answered ${response.status}.`, code)
  }

  async #json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.#ask(method, path, body)
    return await response.json()
  }
}

function codeOf(text: string): string {
  try {
    const value: { code?: unknown } = JSON.parse(text)
    return String(value.code ?? "")
  } catch {
    return ""
  }
}
