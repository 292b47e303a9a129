import { useCallback, useEffect, useMemo, useState } from "preact/hooks"
import { findToken, isKeptForAll, keepForAll, keepToken } from "../shared/token.ts"
import { TokenForm } from "../shared/token-form.tsx"
import type { State } from "./answers.ts"
import { Api, ApiError, tokenName } from "./api.ts"
import { HistoryView } from "./history-view.tsx"
import { ProfileView } from "./profile-view.tsx"
import type { PersonalProxy } from "./proxy.ts"
import { SearchView } from "./search-view.tsx"
import { SettingsView } from "./settings-view.tsx"
import { type StartStep, StartView, startStepOf } from "./start-view.tsx"

const views = ["search", "profile", "history", "settings"] as const
type View = (typeof views)[number] | StartStep

const viewOf = (hash: string): View | undefined => startStepOf(hash) ?? views.find((view) => `#${view}` === hash)

/** A person who opens the page for the first time, without a query, begins with the start. */
const firstView = ({ welcomed }: State): View =>
  welcomed || new URLSearchParams(window.location.search).has("q") ? "search" : 1

export function Page() {
  const [token, setToken] = useState(() => findToken(tokenName))
  const [state, setState] = useState<State>()
  const [problem, setProblem] = useState<ApiError>()
  const [said, say] = useState("")
  const [chosen, setView] = useState(() => viewOf(window.location.hash))
  const api = useMemo(() => new Api(token), [token])
  const fail = useCallback((error: unknown) => {
    setProblem(error instanceof ApiError ? error : new ApiError("failed", String(error)))
  }, [])
  const load = useCallback(() => {
    setProblem(undefined)
    api.state().then(setState, fail)
  }, [api, fail])
  useEffect(load, [load])
  useEffect(() => {
    const turn = () => {
      setView(viewOf(window.location.hash))
      setProblem((problem) => (problem?.kind === "failed" ? undefined : problem))
    }
    window.addEventListener("hashchange", turn)
    return () => window.removeEventListener("hashchange", turn)
  }, [])

  const change = useCallback((change: (state: State) => State) => {
    setProblem((problem) => (problem?.kind === "failed" ? undefined : problem))
    setState((state) => state && change(state))
  }, [])
  const [isKept, setKept] = useState(() => isKeptForAll(tokenName))
  const keep = (isKept: boolean) => {
    keepForAll(tokenName, isKept ? token : undefined)
    setKept(isKept)
  }
  // The first view does not change while it is shown, even when the start is completed.
  const first = useMemo(() => state && firstView(state), [state === undefined])
  const view = chosen ?? first ?? "search"
  const proxy: PersonalProxy | undefined = state && { api, state, setState: change, fail, say }
  return (
    <>
      <header>
        <h1>
          <a href="#search">queryveil</a>
        </h1>
        <nav aria-label="Views">
          {views.map((name) => (
            <a key={name} href={`#${name}`} {...(name === view && { "aria-current": "page" as const })}>
              {name[0]?.toUpperCase() + name.slice(1)}
            </a>
          ))}
        </nav>
      </header>
      <main>
        <Problem
          problem={problem}
          onRetry={load}
          onClose={() => setProblem(undefined)}
          onToken={(given) => {
            keepToken(tokenName, given)
            setToken(given)
          }}
        />
        {proxy !== undefined && (
          <>
            {/* Kept, with its results, while another view is shown. */}
            <div hidden={view !== "search"}>
              <SearchView proxy={proxy} isSeen={view === "search"} key={token} />
            </div>
            {typeof view === "number" && <StartView proxy={proxy} step={view} />}
            {view === "profile" && <ProfileView proxy={proxy} />}
            {view === "history" && <HistoryView proxy={proxy} />}
            {view === "settings" && <SettingsView proxy={proxy} browser={{ isKept, keep }} />}
          </>
        )}
      </main>
      <div class="unseen" role="status">
        {said}
      </div>
    </>
  )
}

interface ProblemProps {
  problem: ApiError | undefined
  onRetry(): void
  onClose(): void
  onToken(token: string): void
}

function Problem({ problem, onRetry, onClose, onToken }: ProblemProps) {
  return (
    <>
      <div role="alert">
        {problem?.kind === "refused" && (
          <p class="notice bad">
            <b>The page needs its token.</b> It is part of the address that <code>queryveil personal serve</code>{" "}
            printed.
          </p>
        )}
        {problem?.kind === "unreachable" && (
          <div class="notice bad">
            <p>
              <b>The proxy cannot be reached.</b> {problem.message}
            </p>
            <p class="actions">
              <button type="button" class="plain" onClick={onRetry}>
                Try again
              </button>
            </p>
          </div>
        )}
        {problem?.kind === "failed" && (
          <p class="notice bad closable">
            <span>{problem.message}</span>
            <button type="button" class="plain" aria-label="Close this note" onClick={onClose}>
              ✕
            </button>
          </p>
        )}
      </div>
      {problem?.kind === "refused" && <TokenForm action="Continue" onToken={onToken} />}
    </>
  )
}
