import { useEffect, useState } from "preact/hooks"
import { Panel } from "../shared/panel.tsx"
import type { SensitiveQueryMode, State } from "./answers.ts"
import type { Settings } from "./api.ts"
import type { PersonalProxy } from "./proxy.ts"
import { asBounded, asRisk, noRisk } from "./words.ts"

/** Whether this browser keeps the token for all its tabs. */
export interface KeptToken {
  isKept: boolean
  keep(isKept: boolean): void
}

/** What holds for all searches. */
export function SettingsView({ proxy, browser }: { proxy: PersonalProxy; browser: KeptToken }) {
  const { api, state, setState, fail, say } = proxy
  const change = (settings: Partial<Settings>) =>
    api.change(settings).then((after) => {
      setState(() => after)
      say("Saved.")
    }, fail)
  // Searches may have shown something since.
  useEffect(() => {
    api.state().then((after) => setState(() => after), fail)
  }, [api, setState, fail])
  return (
    <div class="two">
      <div class="stack">
        {" "}
        <Panel title="Learning">
          <label class="switch">
            <input
              type="checkbox"
              role="switch"
              aria-checked={state.learning}
              checked={state.learning}
              onChange={(event) => void change({ learning: event.currentTarget.checked })}
            />
            <span>Learn from my searches and what I open</span>
          </label>
          <p class="note">
            {state.learning
              ? "What you open, and searches that can mean one thing only, add topics to your profile, on this machine. The page says what was learned and can undo it."
              : "Nothing is learned; your profile stays as it is."}
          </p>
        </Panel>
        <Panel title="Engine">
          <fieldset class="engines">
            <legend class="unseen">Engine</legend>
            {state.engines.map(({ name, kind }) => (
              <label key={name}>
                <input
                  type="radio"
                  name="engine"
                  checked={name === state.engine}
                  onChange={() => void change({ engine: name })}
                />
                <span>
                  {name} {kind !== name && <small>{kind}</small>}
                </span>
              </label>
            ))}
          </fieldset>
          <p class="note">
            Others are added at the start: <code>queryveil personal serve --engine searxng=http://127.0.0.1:8888</code>
          </p>
        </Panel>
        <Panel title="This browser">
          <label class="switch">
            <input
              type="checkbox"
              role="switch"
              aria-checked={browser.isKept}
              checked={browser.isKept}
              onChange={(event) => browser.keep(event.currentTarget.checked)}
            />
            <span>Search from the address bar</span>
          </label>
          <p class="note">
            {browser.isKept
              ? "The token is kept in this browser, so that every tab can search. Add queryveil to the browser’s search engines to search from the address bar."
              : "The token is kept in this tab alone; a new tab asks for it."}
          </p>
        </Panel>
        <Panel title="Keys">
          <dl class="keys">
            <dt>
              <kbd>/</kbd>
            </dt>
            <dd>to the search box</dd>
            <dt>
              <kbd>↑</kbd> <kbd>↓</kbd>
            </dt>
            <dd>walk the topics; letters jump</dd>
            <dt>
              <kbd>→</kbd> <kbd>←</kbd>
            </dt>
            <dd>open and close a topic</dd>
            <dt>
              <kbd>Enter</kbd>
            </dt>
            <dd>mark a topic as sensitive, or clear the mark</dd>
          </dl>
        </Panel>
      </div>
      <div class="stack">
        {" "}
        <Panel title="How much an engine may learn">
          <BoundSlider
            label="Most risk of one engine and day, δ"
            value={state.sessionDelta}
            onSettle={(sessionDelta) => void change({ sessionDelta })}
          />
          <p class="note">
            An engine that can tell that searches come from one person adds up what it is shown. What it sees in a day
            stays below this; when there is no room left, it is sent queries alone.
          </p>
          <BoundSlider
            label="Most risk of one engine and all time, δ"
            value={state.lifetimeDelta}
            onSettle={(lifetimeDelta) => void change({ lifetimeDelta })}
          />
          <p class="note">
            Days add up too. Everything that an engine was ever shown stays below this, also if you delete the history
            or forget topics: the engine does not forget.{" "}
            {state.lifetimeDelta === 1 && "At 1.00 there is no such bound."}
          </p>
          <Used state={state} />
        </Panel>
        <Panel title="Queries about sensitive topics">
          <fieldset class="engines">
            <legend class="unseen">Queries about sensitive topics</legend>
            {modes.map(([mode, text]) => (
              <label key={mode}>
                <input
                  type="radio"
                  name="sensitive-queries"
                  checked={mode === state.sensitiveQueries}
                  onChange={() => void change({ sensitiveQueries: mode })}
                />
                <span>{text}</span>
              </label>
            ))}
          </fieldset>
          <p class="note">
            No part of your profile says as much as a query that names the topic itself. An engine that takes no profile
            reads such queries too.
          </p>
          <label class="switch">
            <input
              type="checkbox"
              role="switch"
              aria-checked={state.queryDelta < 1}
              checked={state.queryDelta < 1}
              onChange={(event) => void change({ queryDelta: event.currentTarget.checked ? 0.5 : 1 })}
            />
            <span>Count what my queries tell</span>
          </label>
          {state.queryDelta < 1 && (
            <BoundSlider
              label="Most risk with queries, one engine and all time"
              value={state.queryDelta}
              onSettle={(queryDelta) => void change({ queryDelta })}
            />
          )}
          <p class="note">
            The other bounds count what the topics shown let an engine guess, as if it did not read your queries. This
            one counts both. Over it, nothing of your profile is shown, and a query that would go over it is held until
            you say so.
          </p>
        </Panel>
      </div>{" "}
    </div>
  )
}

const modes: [SensitiveQueryMode, string][] = [
  ["ask", "Ask me before sending"],
  ["without-profile", "Send without my profile"],
  ["send", "Send like any other query"],
]

interface BoundSliderProps {
  label: string
  value: number
  onSettle(value: number): void
}

/** A bound, saved when the slider is let go. */
function BoundSlider({ label, value, onSettle }: BoundSliderProps) {
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

/** How much of the bound each engine has used. */
function Used({ state }: { state: State }) {
  const counts = state.engines.filter(({ acceptsExposure }) => acceptsExposure)
  if (counts.length === 0) return null
  return (
    <dl class="used">
      {counts.map(({ name, lifetimeRisk, queryRisk }) => (
        <div key={name}>
          <dt>{name}</dt>
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
