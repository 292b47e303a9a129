import { useEffect, useState } from "preact/hooks"
import { findToken, keepToken } from "../token.ts"
import type { Timed } from "./line-chart.tsx"

export type Answer<Figures> =
  | { kind: "figures"; figures: Figures }
  | { kind: "refused" }
  | { kind: "unreachable"; reason: string }

const patience = 5000

/** Never throws: no answer is also a result. */
async function fetchFigures<Figures>(token: string): Promise<Answer<Figures>> {
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

const pace = 1000

/**
 * Asks for the figures every second. `tokenName` is the storage key under which a tab keeps the token; `extend` adds
 * figures to the history.
 */
export function useFigures<Figures, Moment extends Timed>(
  tokenName: string,
  extend: (history: readonly Moment[], figures: Figures, at: number) => Moment[],
) {
  const [token, setToken] = useState(() => findToken(tokenName))
  const [history, setHistory] = useState<Moment[]>([])
  const [answer, setAnswer] = useState<Answer<Figures>>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async () => {
      const given = await fetchFigures<Figures>(token)
      if (isOver) return
      setAnswer(given)
      if (given.kind === "figures") setHistory((before) => extend(before, given.figures, performance.now()))
      // A page without a valid token stops asking, instead of asking once a second.
      if (given.kind !== "refused") timer = setTimeout(ask, pace)
    }
    void ask()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [token, extend])
  const takeToken = (given: string) => {
    keepToken(tokenName, given)
    setToken(given)
    setAnswer(undefined)
  }
  return { token, takeToken, history, answer }
}
