/**
 * The token of a page's server: from the address (`#token=…` or `?token=…`), from which it is then removed, or the one
 * kept for this tab, or for all tabs. The rest of the address stays.
 */
export function findToken(kept: string): string {
  const { hash, search, pathname } = window.location
  const behindHash = new URLSearchParams(hash.slice(1))
  const inQuery = new URLSearchParams(search)
  const given = behindHash.get("token") ?? inQuery.get("token")
  if (given === null) return sessionStorage.getItem(kept) ?? localStorage.getItem(kept) ?? ""
  keepToken(kept, given)
  inQuery.delete("token")
  const rest = inQuery.size === 0 ? "" : `?${inQuery}`
  window.history.replaceState(null, "", pathname + rest + (behindHash.has("token") ? "" : hash))
  return given
}

/** Keeps the token for this tab, and also for all tabs if one is kept for all. */
export function keepToken(kept: string, token: string): void {
  sessionStorage.setItem(kept, token)
  if (isKeptForAll(kept)) keepForAll(kept, token)
}

export const isKeptForAll = (kept: string) => localStorage.getItem(kept) !== null

/** Keeps a token for every tab of this browser. Undefined removes it. */
export function keepForAll(kept: string, token: string | undefined): void {
  if (token === undefined) localStorage.removeItem(kept)
  else localStorage.setItem(kept, token)
}
