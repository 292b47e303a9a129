import type { ComponentChildren } from "preact"
import { asCount } from "../../shared/format.ts"
import type { RegisteredRelease, ReportSummary } from "../release/release-types.ts"
import { asMinute, describeMethod } from "../release/release-words.ts"
import { OtherAttacks, Verdicts, WhatIsLeft } from "../release/verdicts.tsx"
import { densityOf } from "./sign-rules.ts"

interface SheetProps {
  release: RegisteredRelease
  summary: ReportSummary
  /** The points that are accepted so far; undefined if the release is signed, so that all are. */
  ticked: ReadonlySet<number> | undefined
  onTick(point: number, isOn: boolean): void
  /** The reason of the decision, as far as it is written. */
  reason: string
  /** The decision. */
  children: ComponentChildren
}

/** The heading that gets the focus when the decision was made. */
export const decisionId = "decision"

/** The most ways of reading files on the sheet; the report lists all. */
const mostReadings = 3

/** Everything that a signature is about, on one sheet of A4. */
export function Sheet({ release, summary, ticked, onTick, reason, children }: SheetProps) {
  const readings = [...new Set(summary.readings)]
  return (
    <article class={`sheet ${densityOf(release, reason)}`} aria-labelledby="sheet-title">
      <div class="title">
        <h2 id="sheet-title">
          Decision on the release “<bdi>{release.name}</bdi>”
        </h2>
        <p class="small">
          {describeMethod(release)} · {asCount(release.rows)} rows · release <code>{release.id}</code> · made{" "}
          {asMinute(release.made)} · judged {asMinute(summary.judged)}
        </p>
      </div>
      <Verdicts summary={summary} />
      <h3>What is promised</h3>
      <p>
        {summary.statement} The unit of protection is {summary.protects}.
      </p>
      <Accept release={release} ticked={ticked} onTick={onTick} />
      <div class="columns">
        <section>
          <h3>What attacks mean for a person in the log</h3>
          <OtherAttacks attacks={summary.attacks} />
        </section>
        <section>
          <h3>What is left of the log</h3>
          <WhatIsLeft summary={summary} />
        </section>
        <section>
          <h3>How the log was read</h3>
          {readings.length === 0 && <p>Not known.</p>}
          {readings.slice(0, mostReadings).map((text) => (
            <p key={text}>The log was {text}</p>
          ))}
          {readings.length > mostReadings && <p>and {readings.length - mostReadings} more ways: see the report.</p>}
        </section>
      </div>
      <Fingerprints of={release.fingerprints} />
      <h3 id={decisionId} tabIndex={-1}>
        Decision
      </h3>
      {children}
    </article>
  )
}

function Accept({ release: { accept, state }, ticked, onTick }: Pick<SheetProps, "release" | "ticked" | "onTick">) {
  if (accept.length === 0) return null
  const isSame = state === "signed"
  if (ticked === undefined)
    return (
      <section>
        <h3>
          What the promise does not cover, and what was found:{" "}
          {isSame ? "accepted by the signer" : "as the files are now, not as they were signed"}
        </h3>
        <ul class="accepted">
          {accept.map((text) => (
            <li key={text}>
              <span aria-hidden="true">{isSame ? "☑" : "•"}</span>
              <span>{text}</span>
            </li>
          ))}
        </ul>
      </section>
    )
  return (
    <fieldset>
      <legend>What the promise does not cover, and what was found: tick each point that you accept</legend>
      {accept.map((text, i) => (
        <label class="point" key={text}>
          <input type="checkbox" checked={ticked.has(i)} onChange={(event) => onTick(i, event.currentTarget.checked)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  )
}

const parts = [
  ["manifest", "release (its release.json)"],
  ["receipt", "receipt"],
  ["report", "report"],
] as const

function Fingerprints({ of }: { of: RegisteredRelease["fingerprints"] }) {
  return (
    <section>
      <h3>Fingerprints (SHA-256)</h3>
      <dl class="digests">
        {parts.map(([part, says]) => (
          <div key={part}>
            <dt>{says}</dt>
            <dd>
              <code>{of[part] ?? "not here"}</code>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
