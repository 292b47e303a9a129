import "./verdicts.css"
import type { ReportSummary } from "./release-types.ts"
import { attackLook, originWarning, promiseLook } from "./verdict-looks.ts"

/** The most checks that the first page of a report names because they failed or were not made. */
const mostOpen = 2

/** The two verdicts, of one size and side by side, in the words and colours of the report. */
export function Verdicts({ summary }: { summary: ReportSummary }) {
  const warning = originWarning(summary.original)
  return (
    <>
      {warning !== undefined && <p class={`notice ${summary.original === "not compared" ? "" : "bad"}`}>{warning}</p>}
      <div class="verdicts">
        <PromiseCard summary={summary} />
        <AttackCard attacks={summary.attacks} />
      </div>
    </>
  )
}

function PromiseCard({ summary: { promise, attacks } }: { summary: ReportSummary }) {
  const { look, word } = promiseLook(promise, attacks.state)
  const more = promise.open.length - mostOpen
  return (
    <section class={`verdict ${look}`} aria-label="Promise kept">
      <h3>Promise kept</h3>
      <p class="word">{word}</p>
      <p>{promise.sentence}</p>
      {promise.open.length > 0 && (
        <ul>
          {promise.open.slice(0, mostOpen).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {more > 0 && <p>and {more} more: see the report.</p>}
      {promise.kept === "yes" && attacks.state !== "nothing above chance" && (
        <p>A kept promise is not everything: see what attacks found.</p>
      )}
    </section>
  )
}

interface AttackProps {
  attacks: Omit<ReportSummary["attacks"], "acceptedRisk">
  title?: string
}

/** What attacks found: the worst first, as a sentence about a person. */
export function AttackCard({ attacks, title = "Attacks" }: AttackProps) {
  const { look, word } = attackLook(attacks.state)
  const [worst] = attacks.meanings
  return (
    <section class={`verdict ${look}`} aria-label={title}>
      <h3>{title}</h3>
      <p class="word">{word}</p>
      {worst !== undefined && (
        <p>
          <b>{worst}</b>
        </p>
      )}
      <p>{attacks.sentence}</p>
      {attacks.caveats.length > 0 && <p>{attacks.caveats.join(" ")}</p>}
    </section>
  )
}

/** What attacks mean for a person, after the worst, which is on the verdict. */
export function OtherAttacks({ attacks: { state, meanings } }: { attacks: ReportSummary["attacks"] }) {
  const [worst, ...others] = meanings
  if (state === "not attacked") return <p>Not known: no attack says anything about this release.</p>
  if (worst === undefined) return <p>No attack that ran gained more than chance.</p>
  if (others.length === 0) return <p>The worst is named above. No other attack gained more than chance.</p>
  return (
    <>
      <p>The worst is named above. The next:</p>
      <Points of={others} />
    </>
  )
}

/** What is left of the log. */
export function WhatIsLeft({ summary: { left, promise } }: { summary: ReportSummary }) {
  if (promise.empty) return <p>Nothing: the release is empty.</p>
  return left.length === 0 ? <p>No measure says anything about this release.</p> : <Points of={left} />
}

function Points({ of }: { of: readonly string[] }) {
  return (
    <ul class="points">
      {of.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}
