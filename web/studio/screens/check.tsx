import "../release/release-screens.css"
import "./check.css"
import { useEffect, useRef, useState } from "preact/hooks"
import { Panel } from "../../shared/panel.tsx"
import type { Job, RegisterView } from "../answers.ts"
import { type CheckStep, checkSteps } from "../check/check-steps.ts"
import { DrawForm } from "../check/draw-form.tsx"
import { sayEnd } from "../check/say-end.ts"
import { Commands } from "../commands.tsx"
import { focusHeading } from "../focus-heading.ts"
import { JobProgress } from "../job-progress.tsx"
import { isActive } from "../job-words.ts"
import { PickRelease } from "../release/pick-release.tsx"
import type { RegisteredRelease } from "../release/release-types.ts"
import { asMinute, describeMethod, isFromOtherChoice } from "../release/release-words.ts"
import { useRegister, useRelease } from "../release/use-register.ts"
import { conclude } from "../release/verdict-looks.ts"
import { OtherAttacks, Verdicts, WhatIsLeft } from "../release/verdicts.tsx"
import { StaleBanner } from "../stale-banner.tsx"
import type { Studio } from "../studio.ts"

/** Draws the release for real, then verifies, attacks and measures it, and shows the two verdicts. */
export function CheckScreen({ studio }: { studio: Studio }) {
  const { state, jobOf } = studio
  const [register] = useRegister(studio)
  const [release, pick] = useRelease(register, (releases) => releases.at(-1))
  const [isOpen, setOpen] = useState(false)
  const [asked, setAsked] = useState(0)
  const awaitDraw = useReportAfterDraw(studio)
  const [draw, report] = [jobOf("release"), jobOf("report")]
  const isBusy = isActive(draw) || isActive(report)
  const isOther = release !== undefined && isFromOtherChoice(release, state.choice)
  return (
    <div class="release-screen check-screen">
      <p class="lead">{lead(studio, release)}</p>
      {isOther && !isBusy && (
        <StaleBanner
          what={`The release “${release.name}” (${describeMethod(release)})`}
          action="Draw one from the present settings"
          onAction={() => {
            setOpen(true)
            setAsked(asked + 1)
          }}
        />
      )}
      <Progress studio={studio} release={release} />
      {register !== undefined && release !== undefined && !isActive(draw) && (
        <Checked studio={studio} register={register} release={release} onPick={pick} />
      )}
      {register !== undefined && !isBusy && (
        <Draw
          studio={studio}
          register={register}
          isOpen={isOpen}
          asked={asked}
          onOpen={setOpen}
          onDraw={(job, name) => {
            setOpen(false)
            pick(name)
            awaitDraw(job, name)
          }}
        />
      )}
      <Commands lines={state.commands.check ?? []} />
    </div>
  )
}

function lead({ state, jobOf }: Studio, release: RegisteredRelease | undefined): string {
  if (isActive(jobOf("release"))) return "The release is being drawn. Its check starts after that, on this screen."
  if (isActive(jobOf("report"))) return "The release is drawn and is being checked. You can leave this page meanwhile."
  if (release?.summary !== undefined) return conclude(release.summary)
  if (release !== undefined) return `“${release.name}” is drawn and not checked yet.`
  return state.choice === null ? "Nothing is chosen to be released yet." : "Nothing is released yet. Draw it here."
}

/** The draw that this page started, until its report is started. It outlives a visit to another screen. */
let drawn: { id: string; name: string } | undefined

/** Starts the report when the draw that this page started is done. */
function useReportAfterDraw({ api, fail, jobOf }: Studio) {
  const job = jobOf("release")
  const isDone = job !== undefined && job.id === drawn?.id && job.state === "done"
  useEffect(() => {
    if (!isDone || drawn === undefined) return
    const { name } = drawn
    drawn = undefined
    api.start("report", { name }).catch(fail)
  }, [isDone])
  return ({ id }: Job, name: string) => {
    drawn = { id, name }
  }
}

const stateText: Record<CheckStep["state"], string> = {
  done: "done",
  running: "running",
  waiting: "not yet",
  stopped: "stopped",
}

function Progress({ studio, release }: { studio: Studio; release: RegisteredRelease | undefined }) {
  const { api, fail, jobOf } = studio
  const [draw, report] = [jobOf("release"), jobOf("report")]
  const job = [draw, report].find(isActive)
  const broken = job === undefined ? sayEnd(draw, report) : undefined
  const isJudged = job === undefined && release?.summary !== undefined
  if (isJudged || (job === undefined && draw === undefined && release === undefined))
    return broken === undefined ? null : <p class="notice bad">{broken}</p>
  const steps = checkSteps({ draw, report, isDrawn: release !== undefined })
  return (
    <Panel title="What is done">
      <ol class="check-steps">
        {steps.map(({ name, does, state }) => (
          <li key={name} class={state} aria-current={state === "running" ? "step" : undefined}>
            <b>
              {name}: {stateText[state]}
            </b>
            {does}
          </li>
        ))}
      </ol>
      {job !== undefined && <JobProgress job={job} onCancel={() => void api.cancel(job.id).catch(fail)} />}
      {broken !== undefined && <p class="notice bad">{broken}</p>}
    </Panel>
  )
}

interface CheckedProps {
  studio: Studio
  register: RegisterView
  release: RegisteredRelease
  onPick(name: string): void
}

function Checked({ studio, register, release, onPick }: CheckedProps) {
  const { api, state, fail, go, jobOf } = studio
  const { summary } = release
  const check = () => {
    focusHeading()
    void api.start("report", { name: release.name }).catch(fail)
  }
  const isChecking = isActive(jobOf("report"))
  const missing = state.log?.files.filter((file) => file.state !== "same") ?? []
  return (
    <Panel
      title={`Release “${release.name}”`}
      aside={<PickRelease releases={register.releases} chosen={release} onPick={onPick} />}
    >
      <p class="quiet">
        {describeMethod(release)} · made {asMinute(release.made)}
        {summary !== undefined && ` · checked ${asMinute(summary.judged)}`}
      </p>
      {missing.length > 0 && (
        <p class="notice bad">
          The log has changed since it was read, or is gone. A new check would be about another log.
        </p>
      )}
      {summary !== undefined && (
        <>
          <Verdicts summary={summary} />
          <div class="two">
            <section aria-label="What is left of the log">
              <h3>What is left of the log</h3>
              <WhatIsLeft summary={summary} />
            </section>
            <section aria-label="What attacks mean for a person in the log">
              <h3>What attacks mean for a person in the log</h3>
              <OtherAttacks attacks={summary.attacks} />
            </section>
          </div>
        </>
      )}
      {!isChecking && (
        <p class="actions after">
          {summary !== undefined && (
            <button type="button" onClick={() => go("sign")}>
              Continue to Sign
            </button>
          )}
          {release.state !== "signed" && (
            <button type="button" class={summary === undefined ? "" : "plain"} onClick={check}>
              {summary === undefined ? "Verify, attack and measure it" : "Check it again"}
            </button>
          )}
        </p>
      )}
    </Panel>
  )
}

interface DrawPanelProps {
  studio: Studio
  register: RegisterView
  isOpen: boolean
  /** Rises when the form is asked for from elsewhere on the screen, and gets the focus. */
  asked: number
  onOpen(isOpen: boolean): void
  onDraw(job: Job, name: string): void
}

function Draw({ studio, register, isOpen, asked, onOpen, onDraw }: DrawPanelProps) {
  const { state, go } = studio
  const place = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (asked > 0) place.current?.querySelector("input")?.focus()
  }, [asked])
  if (state.choice === null)
    return (
      <Panel title="Draw the release">
        <p>Choose a method first. The screen Explore compares them on your log.</p>
        <p class="actions after">
          <button type="button" onClick={() => go("explore")}>
            Go to Explore
          </button>
        </p>
      </Panel>
    )
  const form = <DrawForm studio={studio} register={register} onDraw={onDraw} />
  if (register.releases.length === 0) return <Panel title="Draw the release">{form}</Panel>
  return (
    <details class="panel" ref={place} open={isOpen} onToggle={(event) => onOpen(event.currentTarget.open)}>
      <summary>Draw another release</summary>
      {form}
    </details>
  )
}
