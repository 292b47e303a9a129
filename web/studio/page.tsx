import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks"
import { findToken, keepToken } from "../shared/token.ts"
import type { Job, StudioState } from "./answers.ts"
import { Api, ApiError, type StudioEvent, tokenName } from "./api.ts"
import { coalesce } from "./coalesce.ts"
import { isActive, mergeJobs, newestOf, sayState, updateJobs } from "./job-words.ts"
import { Problem } from "./problem.tsx"
import { CheckScreen } from "./screens/check.tsx"
import { ExploreScreen } from "./screens/explore.tsx"
import { ExposureScreen } from "./screens/exposure.tsx"
import { LogScreen } from "./screens/log.tsx"
import { PreviewScreen } from "./screens/preview.tsx"
import { PurposeScreen } from "./screens/purpose.tsx"
import { RegisterScreen } from "./screens/register.tsx"
import { SignScreen } from "./screens/sign.tsx"
import { StatusLine } from "./status-line.tsx"
import { StepNavigation } from "./step-navigation.tsx"
import { nextStep, projectName, type Step, screenOf, stepsOf } from "./steps.ts"
import type { ScreenName, Studio } from "./studio.ts"
import { useEvents } from "./use-events.ts"
import { visible } from "./visible.ts"

const screens = {
  log: LogScreen,
  exposure: ExposureScreen,
  purpose: PurposeScreen,
  explore: ExploreScreen,
  preview: PreviewScreen,
  check: CheckScreen,
  sign: SignScreen,
  register: RegisterScreen,
} satisfies Record<ScreenName, unknown>

/** The address holds the name of the screen and nothing else. */
const go = (screen: ScreenName) => {
  window.location.hash = `#${screen}`
}

export function Page() {
  const [token, setToken] = useState(() => findToken(tokenName))
  const [state, setState] = useState<StudioState>()
  const [jobs, setJobs] = useState<Job[]>([])
  const [changes, setChanges] = useState({ points: 0, register: 0 })
  const [problem, setProblem] = useState<ApiError>()
  const [isConnected, setConnected] = useState<boolean>()
  const [said, say] = useState("")
  const [chosen, setChosen] = useState(() => screenOf(window.location.hash))
  const [hasTurned, setTurned] = useState(false)
  const api = useMemo(() => new Api(token), [token])

  const fail = useCallback((error: unknown) => {
    setProblem(error instanceof ApiError ? error : new ApiError("failed", String(error)))
  }, [])
  const take = useCallback((state: StudioState) => {
    setState(state)
    setJobs((known) => mergeJobs(known, state.jobs))
  }, [])
  const clear = useCallback(() => setProblem(undefined), [])
  const reload = useMemo(() => {
    // What the server refused stays in sight until it is closed, or until something else succeeds.
    const isOver = (problem: ApiError | undefined) => problem?.kind === "unreachable" || problem?.kind === "refused"
    const read = (state: StudioState) => {
      take(state)
      setProblem((problem) => (isOver(problem) ? undefined : problem))
    }
    return coalesce(() => api.state().then(read, fail))
  }, [api, take, fail])

  const listener = useMemo(() => {
    const met = new Set<string>()
    return {
      onEvent: (event: StudioEvent) => {
        if ("job" in event) {
          const { job } = event
          setJobs((known) => updateJobs(known, job))
          // A state that is on its way may be older than a job that is new.
          if (!met.has(job.id) || !isActive(job)) reload()
          met.add(job.id)
          if (!isActive(job)) say(`${job.label}: ${sayState(job)}`)
        } else {
          const { changed } = event
          if (changed !== "state") setChanges((before) => ({ ...before, [changed]: before[changed] + 1 }))
          reload()
        }
      },
      onOpen: () => {
        setConnected(true)
        reload()
      },
      onBreak: () => setConnected((before) => before && false),
      onRefusal: fail,
    }
  }, [reload, fail])
  useEvents(api, listener)

  useEffect(() => {
    const turn = () => {
      setChosen(screenOf(window.location.hash))
      setTurned(true)
      say("")
      setProblem((problem) => (problem?.kind === "failed" ? undefined : problem))
    }
    window.addEventListener("hashchange", turn)
    return () => window.removeEventListener("hashchange", turn)
  }, [])

  // Without a screen in the address, the work goes on where it was. The screen stays when a step is done.
  const first = useMemo(() => state && nextStep(state), [state === undefined])
  const screen = chosen ?? first ?? "log"
  const steps = state === undefined ? [] : stepsOf(state)
  const studio: Studio | undefined = state && {
    api,
    state,
    setState: (state) => {
      clear()
      take(state)
    },
    reload,
    go,
    fail,
    say,
    jobOf: (kind) => newestOf(jobs, kind),
    changes,
  }
  return (
    <>
      <header>
        <p class="brand">
          <b>queryveil studio</b>
          {state !== undefined && <bdi class="quiet">{visible(projectName(state.project.folder))}</bdi>}
          {state?.project.demo === true && <span class="pill">demo: a synthetic log</span>}
        </p>
        {state !== undefined && <StepNavigation steps={steps} screen={screen} />}
      </header>
      <main>
        <Problem
          problem={problem}
          onRetry={() => {
            clear()
            reload()
          }}
          onClose={clear}
          onToken={(given) => {
            keepToken(tokenName, given)
            clear()
            setToken(given)
          }}
        />
        {studio !== undefined && (
          <Screen studio={studio} steps={steps} screen={screen} isFirst={!hasTurned} key={`${token}-${screen}`} />
        )}
      </main>
      <StatusLine said={said} isConnected={isConnected} jobs={jobs} disk={state?.disk} />
    </>
  )
}

interface ScreenProps {
  studio: Studio
  steps: readonly Step[]
  screen: ScreenName
  /** True for the screen with which the page opens. */
  isFirst: boolean
}

/** The heading of a step and its screen, or what must come before it. */
function Screen({ studio, steps, screen, isFirst }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // Focus moves to the top of the next screen, for eyes and for screen readers.
    if (!isFirst) heading.current?.focus()
  }, [])
  const number = steps.findIndex((step) => step.screen === screen)
  const step = steps[number]
  if (step === undefined) return null
  const Shown = screens[screen]
  const needed = steps.find((other) => other.screen === step.needs)
  return (
    <>
      <div class="screen-head">
        <h1 tabIndex={-1} ref={heading}>
          {number + 1}. {step.title}
        </h1>
        <p class="quiet">{step.says}</p>
      </div>
      {needed === undefined ? (
        <Shown studio={studio} />
      ) : (
        <p class="notice">
          This step needs the step <a href={`#${needed.screen}`}>{needed.title}</a> first.
        </p>
      )}
    </>
  )
}
