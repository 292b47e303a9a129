import { useEffect } from "preact/hooks"
import { type Api, ApiError, type StudioEvent } from "./api.ts"

const firstWait = 500
const longestWait = 8000

interface Listener {
  onEvent(event: StudioEvent): void
  /** The connection is there, for the first time or again. What happened before it must be asked for. */
  onOpen(): void
  /** The connection broke, and another one is tried. */
  onBreak(): void
  /** No connection could be made. Another one is tried after a while, except if the token was refused. */
  onRefusal(error: unknown): void
}

/** Keeps a connection to the server's events while the page is shown. `listener` must stay the same object. */
export function useEvents(api: Api, listener: Listener): void {
  useEffect(() => {
    const over = new AbortController()
    void keepListening(api, listener, over.signal)
    return () => over.abort()
  }, [api, listener])
}

async function keepListening(api: Api, listener: Listener, signal: AbortSignal): Promise<void> {
  let wait = firstWait
  const onOpen = () => {
    wait = firstWait
    listener.onOpen()
  }
  while (!signal.aborted) {
    try {
      await api.listen(listener.onEvent, { signal, onOpen })
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError) listener.onRefusal(error)
      if (error instanceof ApiError && error.kind === "refused") return
    }
    if (signal.aborted) return
    listener.onBreak()
    await pause(wait, signal)
    wait = Math.min(longestWait, 2 * wait)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
