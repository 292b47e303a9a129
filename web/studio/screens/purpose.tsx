import { useState } from "preact/hooks"
import { Panel } from "../../shared/panel.tsx"
import { Commands } from "../commands.tsx"
import { defaultRisk, riskSteps, sayFound, sayRisk } from "../purpose/risk-words.ts"
import { type Use, useCards } from "../purpose/use-words.ts"
import type { Studio } from "../studio.ts"
import "./purpose.css"

/** What the release is for, which risk is accepted, and who receives it. */
export function PurposeScreen({ studio }: { studio: Studio }) {
  const { api, state, fail } = studio
  const saved = state.purpose
  const [use, setUse] = useState<Use | undefined>(saved?.use)
  const [maxRisk, setMaxRisk] = useState(saved?.maxRisk ?? defaultRisk)
  const [recipient, setRecipient] = useState(saved?.recipient ?? "")
  const [isBusy, setBusy] = useState(false)
  const isSame =
    saved !== null && saved.use === use && saved.maxRisk === maxRisk && saved.recipient === recipient.trim()
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    if (use === undefined || isBusy) return
    if (isSame) return studio.go("explore")
    setBusy(true)
    try {
      studio.setState(await api.purpose(state.project.revision, { use, maxRisk, recipient: recipient.trim() }))
      studio.say("The purpose is saved.")
      studio.go("explore")
    } catch (error) {
      fail(error)
    }
    setBusy(false)
  }
  return (
    <form class="purpose-screen stack" onSubmit={(event) => void save(event)}>
      <Panel title="What is the release for?">
        <p class="note first">
          Choose the most important use. The next step compares releases by how well each serves it. Others are shown
          too.
        </p>
        <div class="cards" role="radiogroup" aria-label="What is the release for?">
          {useCards.map(({ use: name, title, says, measured }) => (
            <label key={name} class="card">
              <input type="radio" name="use" required checked={name === use} onChange={() => setUse(name)} />
              <span>
                <b>{title}</b>
                <span>{says}</span>
                <span class="quiet">Measured: {measured}.</span>
              </span>
            </label>
          ))}
        </div>
      </Panel>
      <Panel title="Which risk do you accept?">
        <RiskSlider
          risk={maxRisk}
          saved={saved?.maxRisk ?? defaultRisk}
          users={state.log?.read?.users ?? 0}
          onRisk={setMaxRisk}
        />
      </Panel>
      <Panel title="Who receives the release?">
        <label>
          A sentence for the record, such as “the university's search group, under contract 2026-14”
          <input
            type="text"
            name="recipient"
            maxLength={500}
            required
            autocomplete="off"
            value={recipient}
            onInput={(event) => setRecipient(event.currentTarget.value)}
          />
        </label>
      </Panel>
      <p class="actions">
        <button type="submit">{isSame ? "Continue to Explore" : "Save and continue to Explore"}</button>
        {use === undefined && <span class="quiet">Choose a use first.</span>}
      </p>
      <Commands lines={state.commands.purpose ?? []} />
    </form>
  )
}

interface RiskSliderProps {
  risk: number
  /** The risk that is saved. It stays on the slider. */
  saved: number
  users: number
  onRisk(risk: number): void
}

function RiskSlider({ risk, saved, users, onRisk }: RiskSliderProps) {
  const steps = riskSteps(saved)
  return (
    <>
      <p class="lead">
        <output>{sayRisk(risk)}</output>
      </p>
      <p>
        {users > 0 && `${sayFound(risk, users)} `}
        The more people can get at the release, the less you should accept.
      </p>
      <label class="risk">
        <span class="unseen">Accepted risk</span>
        <input
          type="range"
          name="risk"
          min={0}
          max={steps.length - 1}
          step={1}
          value={steps.indexOf(risk)}
          aria-valuetext={sayRisk(risk)}
          onInput={(event) => onRisk(steps[Number(event.currentTarget.value)] ?? defaultRisk)}
        />
        <span class="ends">
          <span>safer</span>
          <span>more of the log is kept</span>
        </span>
      </label>
      <p class="note">
        Found again means: an attacker who knows some searches of a person finds that person in the release, more often
        than by guessing. If the release is a table of counts, the attacker finds out that the person is in the log. It
        is measured with the attacks that queryveil runs, and does not limit other attacks.
      </p>
    </>
  )
}
