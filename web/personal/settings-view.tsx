import { useState } from "preact/hooks"
import { Panel } from "../shared/panel.tsx"
import type { State } from "./answers.ts"
import type { PersonalProxy } from "./proxy.ts"
import { asRisk } from "./words.ts"

/** What holds for all searches. */
export function SettingsView({ proxy }: { proxy: PersonalProxy }) {
  const { api, state, setState, fail, say } = proxy
  const [sessionDelta, setSessionDelta] = useState(state.sessionDelta)
  const change = (settings: Partial<Pick<State, "sessionDelta" | "learning" | "engine">>) =>
    api.change(settings).then((after) => {
      setState(() => after)
      say("Saved.")
    }, fail)
  return (
    <div class="two">
      <Panel title="Learning">
        <label class="switch">
          <input
            type="checkbox"
            role="switch"
            aria-checked={state.learning}
            checked={state.learning}
            onChange={(event) => void change({ learning: event.currentTarget.checked })}
          />
          <span>Learn from what I open</span>
        </label>
        <p class="note">
          {state.learning
            ? "Each result you open adds its topic to your profile, on this machine. The page says what was learned and can undo it."
            : "Nothing is learned; your profile stays as it is."}
        </p>
      </Panel>
      <Panel title="Session">
        <label class="slider">
          <span>
            Most risk of a whole session, δ <output>{asRisk(sessionDelta)}</output>
          </span>
          <input
            type="range"
            min={0}
            max={1}
            step={0.01}
            value={sessionDelta}
            aria-valuetext={asRisk(sessionDelta)}
            onInput={(event) => setSessionDelta(Number(event.currentTarget.value))}
            onChange={(event) => void change({ sessionDelta: Number(event.currentTarget.value) })}
          />
        </label>
        <p class="note">
          An engine that can tell that searches come from one person adds up what it is shown. Once the sum reaches
          this, nothing more is shown.
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
  )
}
