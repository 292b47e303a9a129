import { useState } from "preact/hooks"
import { Panel } from "../shared/panel.tsx"
import type { State } from "./answers.ts"
import type { PersonalProxy } from "./proxy.ts"
import { asRisk } from "./words.ts"

/** Whether this browser keeps the token for all its tabs. */
export interface KeptToken {
  isKept: boolean
  keep(isKept: boolean): void
}

/** What holds for all searches. */
export function SettingsView({ proxy, browser }: { proxy: PersonalProxy; browser: KeptToken }) {
  const { api, state, setState, fail, say } = proxy
  const [sessionDelta, setSessionDelta] = useState(state.sessionDelta)
  const change = (settings: Partial<Pick<State, "sessionDelta" | "learning" | "engine">>) =>
    api.change(settings).then((after) => {
      setState(() => after)
      say("Saved.")
    }, fail)
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
      </div>
      <div class="stack">
        {" "}
        <Panel title="Session">
          <label class="slider">
            <span>
              Most risk of one engine and day, δ <output>{asRisk(sessionDelta)}</output>
            </span>
            <input
              type="range"
              min={0}
              max={1}
              step={0.01}
              value={sessionDelta}
              aria-label="Most risk of one engine and day, δ"
              aria-valuetext={asRisk(sessionDelta)}
              onInput={(event) => setSessionDelta(Number(event.currentTarget.value))}
              onChange={(event) => void change({ sessionDelta: Number(event.currentTarget.value) })}
            />
          </label>
          <p class="note">
            An engine that can tell that searches come from one person adds up what it is shown. What it sees in a day
            stays below this; when there is no room left, it is sent queries alone.
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
      </div>{" "}
    </div>
  )
}
