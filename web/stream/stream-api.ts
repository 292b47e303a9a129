import type { StreamFigures } from "../../src/stream/live/stream-figures.ts"
import { answerMessage } from "../shared/answer-message.ts"

/** The storage key under which a tab keeps the token. */
export const tokenName = "queryveil-stream-token"

export type Answer =
  | { kind: "figures"; figures: StreamFigures }
  | { kind: "refused" }
  | { kind: "unreachable"; reason: string }

const patience = 5000

/** Never throws: no answer from the stream is also a result. */
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

/** Changes the settings of the stream. Returns the stream's message; throws an error with it if the stream refuses. */
export async function changeConfig(change: { k?: number; depth?: number }, token: string): Promise<string> {
  const response = await fetch("/config", {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(change),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(answerMessage(text) ?? `The stream answered ${response.status}.`)
  return answerMessage(text) ?? "Changed."
}
