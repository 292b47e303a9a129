import type { StreamFigures } from "../../src/stream/live/figures.ts"

const kept = "queryveil-stream-token"

/** The token from the address (`#token=…` or `?token=…`), which is then taken out of it, or the one kept for this tab. */
export function findToken(): string {
  const { hash, search, pathname } = window.location
  const given = new URLSearchParams(hash.slice(1)).get("token") ?? new URLSearchParams(search).get("token")
  if (given === null) return sessionStorage.getItem(kept) ?? ""
  keepToken(given)
  window.history.replaceState(null, "", pathname)
  return given
}

export function keepToken(token: string): void {
  sessionStorage.setItem(kept, token)
}

export type Answer =
  | { kind: "figures"; figures: StreamFigures }
  | { kind: "refused" }
  | { kind: "unreachable"; reason: string }

const patience = 5000

/** Never throws: a stream that does not answer is an answer too. */
export async function fetchFigures(token: string): Promise<Answer> {
  try {
    const response = await fetch("/figures", {
      headers: { Authorization: `Bearer ${token}` },
      cache: "no-store",
      signal: AbortSignal.timeout(patience),
    })
    if (response.status === 401 || response.status === 403) return { kind: "refused" }
    if (!response.ok) return { kind: "unreachable", reason: `it answered ${response.status}` }
    return { kind: "figures", figures: await response.json() }
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError"
    return { kind: "unreachable", reason: isLate ? "no answer within 5 seconds" : "no connection" }
  }
}

/** What was sent and what the stream said to it. */
export async function changeConfig(change: { k?: number; depth?: number }, token: string): Promise<string> {
  const response = await fetch("/config", {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(change),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(messageOf(text) ?? `The stream answered ${response.status}.`)
  return messageOf(text) ?? "Changed."
}

function messageOf(text: string): string | undefined {
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found !== "object" || found === null) return undefined
    if ("message" in found && typeof found.message === "string") return found.message
    if (!("error" in found)) return undefined
    return typeof found.error === "string" ? found.error : messageOf(JSON.stringify(found.error))
  } catch {
    return undefined
  }
}
