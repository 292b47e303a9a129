import { useEffect, useRef } from "preact/hooks"
import type { SearchAnswer } from "./answers.ts"
import { engineLabel } from "./engine-words.ts"
import { ExposurePanel } from "./exposure-panel.tsx"
import { HeldQuery } from "./held-query.tsx"
import { LearnedNote, useLearning } from "./learned.tsx"
import { Proposals } from "./proposals.tsx"
import { isNever, markNever, markSensitive, type PersonalProxy } from "./proxy.ts"
import { Results } from "./results.tsx"
import { useSearch } from "./use-search.ts"
import { Welcome } from "./welcome.tsx"
import { sayExposed } from "./words.ts"

/** The search box, the results, and next to them what was shown. */
export function SearchView({ proxy, isSeen }: { proxy: PersonalProxy; isSeen: boolean }) {
  const { api, state, setState, fail } = proxy
  const box = useRef<HTMLInputElement>(null)
  const beside = useRef<HTMLDivElement>(null)
  const search = useSearch(proxy)
  const learning = useLearning(proxy)
  const { found, exposed, isDone, takes, delta, asking } = search

  useEffect(() => {
    if (isSeen && search.typed === "") box.current?.focus()
  }, [isSeen])
  useEffect(() => {
    const slash = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement &&
        event.target.matches("input:not([type=range],[type=radio],[type=checkbox],[type=file]), select")
      const isHidden = box.current?.offsetParent === null
      if (event.key !== "/" || isTyping || isHidden || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      box.current?.select()
      box.current?.focus()
    }
    window.addEventListener("keydown", slash)
    return () => window.removeEventListener("keydown", slash)
  }, [])

  // Marks can also be made in the profile's view.
  const marks = JSON.stringify([state.sensitive, state.never])
  const drawn = useRef(marks)
  useEffect(() => {
    if (drawn.current !== marks) search.tryAgain()
    drawn.current = marks
  }, [marks])
  const taught = found?.learned
  useEffect(() => {
    if (taught !== undefined) learning.noteSearch(taught)
  }, [found, taught])

  const change = (settings: Parameters<typeof api.change>[0]) =>
    api.change(settings).then((state) => setState(() => state), fail)
  const mark = async (path: string, sensitivity: number) => {
    search.drawMark(path, sensitivity)
    if (!(await markSensitive(proxy, path, sensitivity))) search.tryAgain()
  }
  const never = async (path: string, isNever: boolean) => {
    if (!(await markNever(proxy, path, isNever))) search.tryAgain()
  }
  const isMarked = (path: string) =>
    isNever(state.never, path) || state.sensitive.some((topic) => overlap(topic.path, path))
  const moveDelta = (value: number, isSettled: boolean) => {
    search.moveDelta(value)
    if (isSettled) void change({ delta: value })
  }
  return (
    <>
      <search>
        <form
          class="search"
          onSubmit={(event) => {
            event.preventDefault()
            learning.dismiss()
            search.submit()
          }}
        >
          <input
            ref={box}
            type="search"
            name="q"
            aria-label="Search"
            placeholder="Search"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            maxLength={1000}
            value={search.typed}
            onInput={(event) => search.type(event.currentTarget.value)}
          />
          {state.engines.length > 1 && (
            <select
              aria-label="Engine"
              value={state.engine}
              onChange={(event) => void change({ engine: event.currentTarget.value })}
            >
              {state.engines.map(({ name }) => (
                <option key={name} value={name}>
                  {engineLabel(name)}
                </option>
              ))}
            </select>
          )}
          <button type="submit">Search</button>
        </form>
      </search>
      {learning.learned !== undefined && (
        <LearnedNote
          learned={learning.learned}
          isMarked={isMarked(learning.learned.topic)}
          onMark={(path, sensitivity) => void mark(path, sensitivity)}
          onNever={(path, isNever) => void never(path, isNever)}
          onUndo={() => void learning.undo()}
          onDismiss={learning.dismiss}
        />
      )}
      <div class={exposed === undefined && asking === undefined ? "sides alone" : "sides"}>
        <div class="found" aria-busy={asking !== undefined}>
          {asking !== undefined && <p class="asking">Asking {engineLabel(asking)}…</p>}
          {found === undefined && asking === undefined && (
            <>
              {state.proposals.length > 0 && <Proposals proxy={proxy} />}
              <Welcome state={state} />
            </>
          )}
          {found?.held !== undefined && asking === undefined && (
            <HeldQuery found={found} held={found.held} onChoose={search.choose} onGiveUp={search.giveUp} />
          )}
          {found !== undefined && found.held === undefined && (
            <>
              {!isDone && takes && asking === undefined && search.typed.trim() === found.query && (
                <p class="notice stale-note">
                  <span>These results are ordered by what was shown before.</span>
                  <button type="button" class="plain" onClick={() => search.submit()}>
                    Search again
                  </button>
                </p>
              )}
              {isDone && (
                <p class="jump">
                  {sayExposed(found, { isDone, takes })}{" "}
                  <button type="button" class="plain" onClick={() => beside.current?.scrollIntoView()}>
                    What was shown
                  </button>
                </p>
              )}
              <EngineProblem found={found} engines={state.engines} onAsk={search.submit} />
              {found.problem === undefined && found.results.length === 0 && (
                <p class="notice">
                  <b>Nothing was found.</b> {engineLabel(found.engine)} has no result for this query.
                </p>
              )}
              {found.results.length > 0 && (
                <Results
                  found={found}
                  onFollow={(event, result) =>
                    learning.follow(event, result, { query: found.query, engine: found.engine })
                  }
                />
              )}
            </>
          )}
        </div>
        {exposed !== undefined && (
          <div class="beside" ref={beside}>
            <ExposurePanel
              proxy={proxy}
              exposed={exposed}
              isDone={isDone}
              takes={takes}
              delta={delta}
              onDelta={moveDelta}
              onMark={(path, sensitivity) => void mark(path, sensitivity)}
              onNever={(path, isNever) => void never(path, isNever)}
            />
          </div>
        )}
      </div>
    </>
  )
}

/** True if one topic is the other or is below it. */
const overlap = (one: string, other: string) =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)

interface EngineProblemProps {
  found: SearchAnswer
  engines: readonly { name: string }[]
  onAsk(engine?: string): void
}

/** Says why an engine returned no results, and offers to ask again or to ask another. */
function EngineProblem({ found, engines, onAsk }: EngineProblemProps) {
  if (found.problem === undefined) return null
  const others = engines.filter(({ name }) => name !== found.engine)
  return (
    <div class="notice bad" role="alert">
      <p>
        <b>{engineLabel(found.engine)} gave no results.</b> {found.problem.message}
      </p>
      <p class="actions">
        <button type="button" class="plain" onClick={() => onAsk(found.engine)}>
          Try again
        </button>
        {others.map(({ name }) => (
          <button type="button" class="plain" key={name} onClick={() => onAsk(name)}>
            Ask {engineLabel(name)}
          </button>
        ))}
      </p>
    </div>
  )
}
