import { useState } from "preact/hooks"
import { asCount, counted } from "../../shared/format.ts"
import type { Exposure } from "../answers.ts"
import { visible } from "../visible.ts"
import { kindTitles } from "./inspection.ts"

type Kind = Exposure["kinds"][number]
type Sample = Kind["samples"][number]

interface SamplesProps {
  kind: Kind
  /** Stored text that the person unmasked since the page was opened is in the samples already. */
  onUnmask(id: number): void
  onExempt(id: number, isExempt: boolean): void
  isBusy: boolean
}

/** Queries with an identifier of one kind. A text is shown if enough people issued it, or after it was unmasked. */
export function Samples({ kind: { kind, says, queries, events, samples }, onUnmask, onExempt, isBusy }: SamplesProps) {
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
                isBusy={isBusy}
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
  isBusy: boolean
  onUnmask(): void
  onExempt(isExempt: boolean): void
}

function SampleRow({ sample, name, isBusy, onUnmask, onExempt }: SampleRowProps) {
  const { users, words, shape, topic, text, exempt } = sample
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
          <Unmask name={name} isBusy={isBusy} onUnmask={onUnmask} />
        ) : (
          <button
            type="button"
            class="plain"
            aria-pressed={exempt}
            aria-label={`Exempt ${name}`}
            disabled={isBusy}
            onClick={() => onExempt(!exempt)}
          >
            {exempt ? "✓ Exempt" : "Exempt"}
          </button>
        )}
      </td>
    </tr>
  )
}

/** Shows the text after a confirmation that says that this is recorded. Escape cancels. */
function Unmask({ name, isBusy, onUnmask }: { name: string; isBusy: boolean; onUnmask(): void }) {
  const [isAsked, setAsked] = useState(false)
  if (!isAsked) {
    return (
      <button type="button" class="plain" aria-label={`Show the text of ${name}`} onClick={() => setAsked(true)}>
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
      onKeyDown={(event) => event.key === "Escape" && setAsked(false)}
    >
      <span>The project records that you saw it.</span>
      <button type="button" class="plain danger" disabled={isBusy} onClick={onUnmask} ref={(button) => button?.focus()}>
        Show and record
      </button>
      <button type="button" class="plain" onClick={() => setAsked(false)}>
        Cancel
      </button>
    </span>
  )
}
