import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { asCount, counted } from "../../shared/format.ts"
import type { Exposure } from "../answers.ts"
import { visible } from "../visible.ts"
import { kindTitles } from "./inspection.ts"

type Kind = Exposure["kinds"][number]
type Sample = Kind["samples"][number]

interface SamplesProps {
  kind: Kind
  onUnmask(id: number): void
  onExempt(id: number, isExempt: boolean): void
}

/** Queries with an identifier of one kind. A text is shown if enough people issued it, or after it was unmasked. */
export function Samples({ kind: { kind, says, queries, events, samples }, onUnmask, onExempt }: SamplesProps) {
  return (
    <details class="kind">
      <summary>
        <b>{kindTitles[kind] ?? kind}</b>{" "}
        <span class="quiet">
          {counted(queries, "query", "queries")} in {counted(events, "search", "searches")}
        </span>
      </summary>
      <p class="note">Looked for: {says}.</p>
      {kind === "person" && (
        <p class="note">Names are not withheld by default, because many harmless searches are about a name.</p>
      )}
      <div class="scroll">
        <table class="samples">
          <caption class="unseen">Samples of queries: {kindTitles[kind] ?? kind}</caption>
          <thead>
            <tr>
              <th scope="col">Query</th>
              <th scope="col" class="number">
                People
              </th>
              <th scope="col" class="number">
                Words
              </th>
              <th scope="col">Topic</th>
              <th scope="col">Exemption</th>
            </tr>
          </thead>
          <tbody>
            {samples.map((sample, i) => (
              <SampleRow
                key={sample.id}
                sample={sample}
                name={`sample ${i + 1}`}
                onUnmask={() => onUnmask(sample.id)}
                onExempt={(isExempt) => onExempt(sample.id, isExempt)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

interface SampleRowProps {
  sample: Sample
  /** For screen readers: the row without its text. */
  name: string
  onUnmask(): void
  onExempt(isExempt: boolean): void
}

function SampleRow({ sample, name, onUnmask, onExempt }: SampleRowProps) {
  const { users, words, shape, topic, text, exempt } = sample
  const decide = useRef<HTMLButtonElement>(null)
  const isPressed = useRef(false)
  useLayoutEffect(() => {
    // What was pressed to show the text is gone. Its place is taken by the decision.
    if (isPressed.current && text !== undefined) decide.current?.focus()
  }, [text])
  return (
    <tr>
      <td class="text">
        {text === undefined ? <span class="shape">{shape}</span> : <bdi class="clear">{visible(text)}</bdi>}
      </td>
      <td class="number" data-label="People">
        {asCount(users)}
      </td>
      <td class="number" data-label="Words">
        {asCount(words)}
      </td>
      <td class="topic" data-label="Topic">
        <bdi>{visible(topic ?? "–")}</bdi>
      </td>
      <td class="decide">
        {text === undefined ? (
          <>
            {exempt && <span class="pill good">exempt</span>}{" "}
            <Unmask
              name={name}
              onUnmask={() => {
                isPressed.current = true
                onUnmask()
              }}
            />
          </>
        ) : (
          <button
            type="button"
            class="plain"
            aria-pressed={exempt}
            aria-label={`Exempt ${name}`}
            onClick={() => onExempt(!exempt)}
            ref={decide}
          >
            {exempt ? "✓ Exempt" : "Exempt"}
          </button>
        )}
      </td>
    </tr>
  )
}

/** Shows the text after a confirmation that says that this is recorded. Escape cancels. */
function Unmask({ name, onUnmask }: { name: string; onUnmask(): void }) {
  const [step, setStep] = useState<"first" | "asked" | "cancelled">("first")
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (step !== "first") button.current?.focus()
  }, [step])
  if (step !== "asked") {
    return (
      <button
        type="button"
        class="plain"
        aria-label={`Show the text of ${name}`}
        onClick={() => setStep("asked")}
        ref={button}
      >
        Show this text
      </button>
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a cell
    <span
      class="asked"
      role="group"
      aria-label={`Show the text of ${name}`}
      onKeyDown={(event) => event.key === "Escape" && setStep("cancelled")}
    >
      <span>The project records that you saw it.</span>
      <button type="button" class="plain danger" onClick={onUnmask} ref={button} key="show">
        Show and record
      </button>
      <button type="button" class="plain" onClick={() => setStep("cancelled")}>
        Cancel
      </button>
    </span>
  )
}
