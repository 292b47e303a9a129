import type { Held, SearchAnswer } from "./answers.ts"
import { engineLabel } from "./engine-words.ts"
import { asRisk, asShare } from "./words.ts"

interface HeldQueryProps {
  found: SearchAnswer
  held: Held
  onChoose(choice: Held["choices"][number]): void
  onGiveUp(): void
}

const labels: Record<Held["choices"][number], string> = {
  "without-profile": "Send without my profile",
  send: "Send it like any other",
}

/** A query that was not sent: what it is about, and what can be done with it. */
export function HeldQuery({ found, held, onChoose, onGiveUp }: HeldQueryProps) {
  const engine = engineLabel(found.engine)
  const topics = found.about.map(({ name, share }) => `${name} (${asShare(share)} of its meaning)`)
  const aboutMarked = [
    `This query may be about what you marked: ${topics.join(", ")}.`,
    `${engine} would read the query, whatever is shown with it.`,
  ]
  const overLimit = [
    `With this query, ${engine} would know ${asRisk(found.queryRisk ?? 0)} of what is sensitive.`,
    `You allow ${asRisk(found.queryDelta)}.`,
  ]
  return (
    <div class="notice warn held" role="alert">
      <p>
        <b>Not sent yet.</b> {(held.why === "sensitive" ? aboutMarked : overLimit).join(" ")}
      </p>
      <p class="actions">
        {held.choices.map((choice) => (
          <button type="button" class="plain" key={choice} onClick={() => onChoose(choice)}>
            {labels[choice]}
          </button>
        ))}
        <button type="button" class="plain" onClick={onGiveUp}>
          Do not send
        </button>
      </p>
      <p class="small">
        You choose what happens to such queries under <a href="#settings">Settings</a>.
      </p>
    </div>
  )
}
