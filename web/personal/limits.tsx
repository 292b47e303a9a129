import { useState } from "preact/hooks"
import { Panel } from "../shared/panel.tsx"
import type { SensitiveQueryMode, State } from "./answers.ts"
import type { Settings } from "./api.ts"
import { engineLabel } from "./engine-words.ts"
import { asBounded, asRisk, noRisk } from "./words.ts"

interface LimitsProps {
  state: State
  onChange(settings: Partial<Settings>): void
}

/** Limits of what one engine learns, per day and in total. */
export function EngineLimits({ state, onChange }: LimitsProps) {
  return (
    <Panel title="How much an engine may learn">
      <LimitSlider
        label="Maximum risk per engine and day (δ)"
        value={state.sessionDelta}
        onSettle={(sessionDelta) => onChange({ sessionDelta })}
      />
      <p class="note">
        An engine may notice that several searches come from you, and add up what it is shown. What it is shown in a day
        stays within this limit. When no room is left, it is sent queries alone.
      </p>
      <LimitSlider
        label="Maximum risk per engine for all time (δ)"
        value={state.lifetimeDelta}
        onSettle={(lifetimeDelta) => onChange({ lifetimeDelta })}
      />
      <p class="note">
        Days add up too. Everything that an engine was ever shown stays within this limit. It still counts after you
        delete the history or forget topics, because the engine does not forget.{" "}
        {state.lifetimeDelta === 1 && "At 1.00 there is no such limit."}
      </p>
      <Used state={state} />
    </Panel>
  )
}

const modes: [SensitiveQueryMode, string][] = [
  ["ask", "Ask me before sending"],
  ["without-profile", "Send without my profile"],
  ["send", "Send like any other query"],
]

/** What happens to queries about marked topics, and the limit that includes queries. */
export function QueryRules({ state, onChange }: LimitsProps) {
  return (
    <Panel title="Queries about sensitive topics">
      <fieldset class="engines">
        <legend class="unseen">Queries about sensitive topics</legend>
        {modes.map(([mode, text]) => (
          <label key={mode}>
            <input
              type="radio"
              name="sensitive-queries"
              checked={mode === state.sensitiveQueries}
              onChange={() => onChange({ sensitiveQueries: mode })}
            />
            <span>{text}</span>
          </label>
        ))}
      </fieldset>
      <p class="note">
        A query that names a topic tells more than any part of your profile. Engines that accept no profile read such
        queries too.
      </p>
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          aria-checked={state.queryDelta < 1}
          checked={state.queryDelta < 1}
          onChange={(event) => onChange({ queryDelta: event.currentTarget.checked ? 0.5 : 1 })}
        />
        <span>Limit what my queries tell</span>
      </label>
      {state.queryDelta < 1 && (
        <LimitSlider
          label="Maximum risk with queries, per engine for all time"
          value={state.queryDelta}
          onSettle={(queryDelta) => onChange({ queryDelta })}
        />
      )}
      <p class="note">
        The other limits count what an engine can guess from the topics shown, as if it did not read your queries. This
        one counts both. Over it, nothing of your profile is shown, and a query that would exceed it waits until you
        decide.
      </p>
    </Panel>
  )
}

interface LimitSliderProps {
  label: string
  value: number
  onSettle(value: number): void
}

/** A limit, saved when the slider is released. */
function LimitSlider({ label, value, onSettle }: LimitSliderProps) {
  const [moved, setMoved] = useState(value)
  return (
    <label class="slider">
      <span>
        {label} <output>{asRisk(moved)}</output>
      </span>
      <input
        type="range"
        min={0}
        max={1}
        step={0.01}
        value={moved}
        aria-label={label}
        aria-valuetext={asRisk(moved)}
        onInput={(event) => setMoved(Number(event.currentTarget.value))}
        onChange={(event) => onSettle(Number(event.currentTarget.value))}
      />
    </label>
  )
}

/** How much of the limit each engine has used. */
function Used({ state }: { state: State }) {
  const counts = state.engines.filter(({ acceptsExposure }) => acceptsExposure)
  if (counts.length === 0) return null
  return (
    <dl class="used">
      {counts.map(({ name, lifetimeRisk, queryRisk }) => (
        <div key={name}>
          <dt>{engineLabel(name)}</dt>
          <dd>
            {lifetimeRisk === null || queryRisk === null
              ? noRisk
              : `so far ${asBounded(lifetimeRisk, state.lifetimeDelta)}; with your queries ${asRisk(queryRisk)}`}
          </dd>
        </div>
      ))}
    </dl>
  )
}
