import { answerMessage } from "../shared/answer-message.ts"
import type {
  Day,
  Exposed,
  FoundTopic,
  Held,
  Marks,
  SearchAnswer,
  SensitiveTopic,
  Shown,
  State,
  Topic,
} from "./answers.ts"

/** The storage key under which a tab keeps the token. */
export const tokenName = "queryveil-personal-token"

/**
 * `refused`: the token is missing or wrong. `unreachable`: there is no answer. `failed`: the proxy refuses, and says
 * why.
 */
export class ApiError extends Error {
  readonly kind: "refused" | "unreachable" | "failed"

  constructor(kind: ApiError["kind"], message: string) {
    super(message)
    this.kind = kind
  }
}

/** The settings that a person can change. */
export type Settings = Pick<
  State,
  "delta" | "sessionDelta" | "lifetimeDelta" | "queryDelta" | "sensitiveQueries" | "learning" | "engine" | "welcomed"
>

/** An engine's answer to a test word. */
export interface Tried {
  query: string
  results: number
  problem?: { code: string; message: string }
}

/** How many searches and pages a history had, and how many of them have a topic. */
export interface Imported {
  documents: number
  placed: number
  state: State
}

interface Ask {
  method?: "GET" | "POST" | "PUT" | "DELETE"
  /** A Blob is sent as its bytes, everything else as JSON. */
  body?: unknown
  /** The request continues when the page is left. */
  keepalive?: boolean
}

const bytes = "application/octet-stream"
const json = (value: unknown) => JSON.stringify(value)

/** The proxy's JSON API. Every call throws an ApiError if it does not succeed. */
export class Api {
  readonly #token: string

  constructor(token: string) {
    this.#token = token
  }

  async #ask(path: string, { method = "GET", body, keepalive = false }: Ask = {}): Promise<Response> {
    let response: Response
    try {
      response = await fetch(path, {
        method,
        headers: {
          Authorization: `Bearer ${this.#token}`,
          ...(body !== undefined && { "Content-Type": body instanceof Blob ? bytes : "application/json" }),
        },
        cache: "no-store",
        keepalive,
        ...(body !== undefined && { body: body instanceof Blob ? body : json(body) }),
      })
    } catch {
      throw new ApiError("unreachable", "The proxy does not answer. Is queryveil personal serve still running?")
    }
    if (response.ok) return response
    if (response.status === 401 || response.status === 403) throw new ApiError("refused", "The page needs its token.")
    const message = answerMessage(await response.text().catch(() => ""))
    throw new ApiError("failed", message ?? `The proxy answered ${response.status}.`)
  }

  async #json<T>(path: string, ask?: Ask): Promise<T> {
    const response = await this.#ask(path, ask)
    try {
      return await response.json()
    } catch {
      throw new ApiError("failed", "The proxy's answer is not JSON. Is another program listening there?")
    }
  }

  readonly state = () => this.#json<State>("/api/state")
  readonly preview = (body: { query: string; engine: string; delta: number }) =>
    this.#json<Exposed>("/api/preview", { method: "POST", body })
  readonly search = (body: { query: string; engine: string; delta: number; choice?: Held["choices"][number] }) =>
    this.#json<SearchAnswer>("/api/search", { method: "POST", body })
  readonly topics = (path: string) => this.#json<Topic[]>(`/api/topics?path=${encodeURIComponent(path)}`)
  readonly findTopics = (text: string) =>
    this.#json<FoundTopic[]>("/api/topics/find", { method: "POST", body: { text } })
  readonly addEngine = (body: { kind: string; url: string }) =>
    this.#json<{ name: string; state: State }>("/api/engines", { method: "POST", body })
  readonly tryEngine = (name: string) => this.#json<Tried>("/api/engines/try", { method: "POST", body: { name } })
  readonly removeEngine = (name: string) =>
    this.#json<State>(`/api/engines?name=${encodeURIComponent(name)}`, { method: "DELETE" })
  readonly importHistory = (file: Blob) => this.#json<Imported>("/api/import", { method: "POST", body: file })
  readonly setSensitive = (body: SensitiveTopic) => this.#json<Marks>("/api/sensitive", { method: "PUT", body })
  readonly setNever = (body: { path: string; never: boolean }) =>
    this.#json<Marks>("/api/never", { method: "PUT", body })
  readonly answerProposals = (mark: readonly string[]) =>
    this.#json<State>("/api/proposals", { method: "POST", body: { mark } })
  readonly change = (body: Partial<Settings>) => this.#json<State>("/api/settings", { method: "PUT", body })
  readonly click = (body: { query: string; url: string; title: string; snippet: string; engine: string }) =>
    this.#json<{ learned: string | null }>("/api/click", { method: "POST", body, keepalive: true })
  readonly undo = () => this.#ask("/api/learned/undo", { method: "POST" })
  readonly history = (before?: number) =>
    this.#json<{ entries: Shown[]; more: boolean }>(`/api/history${before === undefined ? "" : `?before=${before}`}`)
  readonly exportHistory = async () => (await this.#ask("/api/history/export")).blob()
  readonly deleteHistory = (day?: string) =>
    this.#ask(`/api/history${day === undefined ? "" : `?day=${day}`}`, { method: "DELETE" })
  readonly days = () => this.#json<Day[]>("/api/days")
  readonly forget = (body: { path: string } | { day: string }) =>
    this.#json<State>("/api/forget", { method: "POST", body })
}
