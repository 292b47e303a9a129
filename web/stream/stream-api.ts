import { answerMessage } from "../shared/answer-message.ts"

/** The storage key under which a tab keeps the token. */
export const tokenName = "queryveil-stream-token"

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
