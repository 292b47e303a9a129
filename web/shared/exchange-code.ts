import { keepToken } from "./token.ts"

/**
 * Exchanges the code in the address (`#code=…`) for the token, and removes it from the address. A code works once. If
 * it does not work, the page asks for the token.
 */
export async function exchangeCode(kept: string): Promise<void> {
  const code = new URLSearchParams(window.location.hash.slice(1)).get("code")
  if (code === null) return
  window.history.replaceState(null, "", window.location.pathname)
  try {
    const headers = { "content-type": "application/json" }
    const response = await fetch("/api/token", { method: "POST", headers, body: JSON.stringify({ code }) })
    if (!response.ok) return
    const { token }: { token: string } = await response.json()
    keepToken(kept, token)
  } catch {
    // There is no answer: the page says so.
  }
}
