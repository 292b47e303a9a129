import { useEffect, useState } from "preact/hooks"
import type { Result } from "./answers.ts"
import type { PersonalProxy } from "./proxy.ts"
import { fully, type Marking } from "./sensitivity.tsx"
import { splitPath } from "./words.ts"

/**
 * The storage key under which a tab keeps the topic that was learned when the page was left, to report it when the
 * person is back. No query is kept.
 */
const kept = "queryveil-personal-learned"
/** Longest wait in ms before the page is left. */
const patience = 400

interface Learned {
  topic: string
  from: "click" | "search"
}

const fromClick = (topic: string | null): Learned | undefined => (topic === null ? undefined : { topic, from: "click" })

/** Reports clicks if learning is on, and holds what was learned last. */
export function useLearning({ api, state, fail, say }: PersonalProxy) {
  const [learned, setLearned] = useState(() => fromClick(sessionStorage.getItem(kept)))
  useEffect(() => {
    sessionStorage.removeItem(kept)
    // The person is back from a result, and the browser kept the page as it was.
    const back = (event: PageTransitionEvent) => {
      const topic = sessionStorage.getItem(kept)
      if (!event.persisted || topic === null) return
      sessionStorage.removeItem(kept)
      setLearned(fromClick(topic))
    }
    window.addEventListener("pageshow", back)
    return () => window.removeEventListener("pageshow", back)
  }, [])

  const report = async (result: Result & { url: string }, of: { query: string; engine: string }) => {
    const { url, title, snippet } = result
    return (await api.click({ ...of, url, title, snippet })).learned
  }
  return {
    learned,
    /** Sends the report before the page is left. A link that opens in another tab does not leave it. */
    follow(event: MouseEvent, result: Result & { url: string }, of: { query: string; engine: string }) {
      if (!state.learning || event.button > 1) return
      const leaves = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      const reported = report(result, of)
      if (!leaves) {
        reported.then((topic) => {
          setLearned(fromClick(topic))
          if (topic !== null) say(`Learned: ${splitPath(topic).name}.`)
        }, fail)
        return
      }
      event.preventDefault()
      const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), patience))
      // The page is left in either case, learned or not.
      void Promise.race([reported.catch(() => null), late]).then((topic) => {
        if (topic !== null) sessionStorage.setItem(kept, topic)
        window.location.assign(result.url)
      })
    },
    async undo() {
      try {
        await api.undo()
        say("Forgotten.")
        setLearned(undefined)
      } catch (error) {
        fail(error)
      }
    },
    /**
     * What a search taught replaces what another search taught. A search that taught nothing leaves what a click
     * taught.
     */
    noteSearch: (topic: string | null) =>
      setLearned((before) => {
        if (topic !== null) return { topic, from: "search" }
        return before?.from === "click" ? before : undefined
      }),
    dismiss: () => setLearned(undefined),
  }
}

interface LearnedNoteProps extends Marking {
  learned: Learned
  /** True if the topic, or one on its path, is already marked. */
  isMarked: boolean
  onUndo(): void
  onDismiss(): void
}

/** What was just learned, with buttons that undo it or mark it at once. */
export function LearnedNote({
  learned: { topic, from },
  isMarked,
  onMark,
  onNever,
  onUndo,
  onDismiss,
}: LearnedNoteProps) {
  const { name, above } = splitPath(topic)
  return (
    <p class="notice learned">
      <span>
        Learned from your {from}: <b title={topic}>{name}</b> {above !== "" && <small>{above}</small>}
      </span>
      {!isMarked && (
        <>
          <button
            type="button"
            class="plain"
            aria-label={`Mark sensitive: ${name}`}
            onClick={() => onMark(topic, fully)}
          >
            Mark sensitive
          </button>
          <button type="button" class="plain" aria-label={`Never show: ${name}`} onClick={() => onNever(topic, true)}>
            Never show
          </button>
        </>
      )}
      <button type="button" class="plain" onClick={onUndo}>
        Undo
      </button>
      <button type="button" class="plain" aria-label="Close this note" onClick={onDismiss}>
        ✕
      </button>
    </p>
  )
}
