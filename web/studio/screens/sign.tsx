import "../release/release-screens.css"
import "./sign.css"
import { useState } from "preact/hooks"
import type { RegisterView } from "../answers.ts"
import { Commands } from "../commands.tsx"
import { PickRelease } from "../release/pick-release.tsx"
import type { RegisteredRelease } from "../release/release-types.ts"
import { asLongDay, findEntry } from "../release/release-words.ts"
import { useRegister, useRelease } from "../release/use-register.ts"
import { decisionId, Sheet } from "../sign/sheet.tsx"
import { listWords, missingToRefuse, missingToSign, nextToDecide, whyUnfit } from "../sign/sign-rules.ts"
import type { Studio } from "../studio.ts"

/** One page to sign, as it will be printed. What the promise does not cover is accepted point by point. */
export function SignScreen({ studio }: { studio: Studio }) {
  const { state, go } = studio
  const [register, setRegister] = useRegister(studio)
  const [release, pick] = useRelease(register, nextToDecide)
  return (
    <div class="release-screen sign-screen">
      {register !== undefined && release === undefined && (
        <>
          <p class="lead">There is no release to sign yet.</p>
          <p class="actions">
            <button type="button" onClick={() => go("check")}>
              Go to Check
            </button>
          </p>
        </>
      )}
      {register !== undefined && release !== undefined && (
        <>
          <div class="top">
            <p class="lead">{lead(release)}</p>
            <PickRelease releases={register.releases} chosen={release} onPick={pick} />
          </div>
          {/* Another release, and another report, gets other ticks. */}
          <Decision
            key={`${release.name} ${release.summary?.judged}`}
            studio={studio}
            register={register}
            release={release}
            onChange={setRegister}
          />
        </>
      )}
      <Commands lines={state.commands.sign ?? []} />
    </div>
  )
}

function lead({ state, name, summary }: RegisteredRelease): string {
  if (state === "signed") return `“${name}” is signed.`
  if (state === "changed") return `“${name}” was signed, and something changed since.`
  if (summary === undefined) return `“${name}” cannot be signed: it was not checked yet.`
  return state === "refused"
    ? `“${name}” was refused. It can still be signed; the record keeps both.`
    : `Read this page, then sign or refuse “${name}”.`
}

interface DecisionProps {
  studio: Studio
  register: RegisterView
  release: RegisteredRelease
  onChange(register: RegisterView): void
}

function Decision({ studio, register, release, onChange }: DecisionProps) {
  const { go } = studio
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const [reason, setReason] = useState("")
  const isDone = release.state === "signed" || release.state === "changed"
  const tick = (point: number, isOn: boolean) => {
    const next = new Set(ticked)
    if (isOn) next.add(point)
    else next.delete(point)
    setTicked(next)
  }
  if (release.summary === undefined)
    return (
      <p class="actions">
        <button type="button" onClick={() => go("check")}>
          Go to Check
        </button>
      </p>
    )
  return (
    <>
      <p class="actions">
        <button type="button" class="plain" onClick={() => window.print()}>
          Print this page
        </button>
        <span class="hint">
          Only the sheet below is printed, on one page of A4. It is private: it describes the log.
        </span>
      </p>
      <Sheet
        release={release}
        summary={release.summary}
        ticked={isDone ? undefined : ticked}
        onTick={tick}
        reason={isDone ? (release.decision?.reason ?? "") : reason}
      >
        {isDone ? (
          <Decided release={release} register={register} />
        ) : (
          <DecideForm
            studio={studio}
            release={release}
            register={register}
            onChange={onChange}
            ticked={ticked}
            reason={reason}
            onReason={setReason}
          />
        )}
      </Sheet>
      {release.state === "signed" && (
        <p class="actions">
          <button type="button" onClick={() => go("register")}>
            Continue to Register, to hand it out
          </button>
        </p>
      )}
    </>
  )
}

/** Printed with every decision. */
const note = "This is a record of a decision. The name was typed and does not prove who typed it."

/** Who decided, when and why, and where it is recorded. */
function Decided({ release, register }: { release: RegisteredRelease; register: RegisterView }) {
  const { decision, state, problem } = release
  const entry = findEntry(register.record, release)
  return (
    <div class="decided">
      {state === "changed" && (
        <p class="notice bad">
          <b>This is not what was signed:</b> {problem ?? "something does not match the signature"}.
        </p>
      )}
      {decision !== undefined && (
        <dl>
          <dt>{state === "refused" ? "Refused by" : "Signed by"}</dt>
          <dd>
            <bdi>{decision.name}</bdi>
          </dd>
          <dt>Date</dt>
          <dd>{asLongDay(decision.date)} (UTC)</dd>
          <dt>Reason</dt>
          <dd>
            <bdi>{decision.reason}</bdi>
          </dd>
          {entry !== undefined && (
            <>
              <dt>Recorded as</dt>
              <dd>entry {entry} of the project's record</dd>
            </>
          )}
        </dl>
      )}
      <p class="small">{note}</p>
    </div>
  )
}

interface FormProps extends DecisionProps {
  ticked: ReadonlySet<number>
  reason: string
  onReason(reason: string): void
}

function DecideForm({ studio, release, register, onChange, ticked, reason, onReason }: FormProps) {
  const { api, fail, say } = studio
  const [name, setName] = useState("")
  const [isSending, setSending] = useState(false)
  const unfit = whyUnfit(release)
  const missing = missingToSign(release, { ticked, name, reason })
  const missingAnyway = missingToRefuse({ name, reason })
  const today = new Date().toISOString().slice(0, 10)
  const decide = async (decision: "signed" | "refused") => {
    setSending(true)
    try {
      const { manifest = "", report = "" } = release.fingerprints
      const seen = { manifest, report }
      const given = { release: release.name, seen, name: name.trim(), reason: reason.trim() }
      const answer = decision === "signed" ? api.sign({ ...given, accept: release.accept }) : api.refuse(given)
      onChange(await answer)
      document.getElementById(decisionId)?.focus()
      say(`“${release.name}” is ${decision}.`)
      studio.reload()
    } catch (error) {
      fail(error)
    } finally {
      setSending(false)
    }
  }
  return (
    <form
      class="decide"
      onSubmit={(event) => {
        event.preventDefault()
        if (missing.length === 0 && unfit === undefined) void decide("signed")
      }}
    >
      {release.state === "refused" && <Decided release={release} register={register} />}
      <div class="fields">
        <label>
          Name
          <input
            name="signer"
            autocomplete="name"
            maxLength={200}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <span class="on-paper">{name}</span>
        </label>
        <div class="date">
          <b>Date</b>
          <span>{asLongDay(today)} (UTC)</span>
        </div>
        <label class="wide">
          Reason for the decision
          <textarea
            name="reason"
            maxLength={4000}
            value={reason}
            onInput={(event) => onReason(event.currentTarget.value)}
          />
          <span class="on-paper">{reason}</span>
        </label>
      </div>
      <p class="small">{note}</p>
      <p class="actions off-paper">
        <button
          type="submit"
          disabled={isSending || unfit !== undefined || missing.length > 0}
          aria-describedby="sign-missing"
        >
          Sign
        </button>
        <button
          type="button"
          class="plain danger"
          disabled={isSending || missingAnyway.length > 0}
          aria-describedby="sign-missing"
          onClick={() => void decide("refused")}
        >
          Refuse
        </button>
        <span class="hint" id="sign-missing" aria-live="polite">
          {unfit !== undefined
            ? `It cannot be signed. ${unfit}`
            : missing.length > 0
              ? `To sign, still missing: ${listWords(missing)}.`
              : "A signature is never replaced."}
          {missingAnyway.length > 0 && " To refuse, give your name and a reason; points need no tick."}
        </span>
      </p>
    </form>
  )
}
