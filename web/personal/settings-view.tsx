import { useEffect } from "preact/hooks"
import { Panel } from "../shared/panel.tsx"
import type { Settings } from "./api.ts"
import { EngineSetup } from "./engine-setup.tsx"
import { ImportHistory } from "./import-history.tsx"
import { EngineLimits, QueryRules } from "./limits.tsx"
import type { PersonalProxy } from "./proxy.ts"

/** Whether this browser keeps the token for all its tabs, and a function to change that. */
export interface KeptToken {
  isKept: boolean
  keep(isKept: boolean): void
}

const learningOn = [
  "What you open, and searches that can only mean one thing, add topics to your profile on this machine.",
  "The page says what was learned and can undo it.",
]
const learningOff = ["Nothing is learned.", "Your profile stays as it is."]
const tokenInBrowser = [
  "The token is kept in this browser, so every tab can search.",
  "Add queryveil to the browser’s search engines to search from the address bar.",
]
const tokenInTab = ["The token is kept in this tab alone.", "A new tab asks for it."]

/** Settings of all searches. */
export function SettingsView({ proxy, browser }: { proxy: PersonalProxy; browser: KeptToken }) {
  const { api, state, setState, fail, say } = proxy
  const change = (settings: Partial<Settings>) =>
    api.change(settings).then((after) => {
      setState(() => after)
      say("Saved.")
    }, fail)
  // Searches may have shown something meanwhile.
  useEffect(() => {
    api.state().then((after) => setState(() => after), fail)
  }, [api, setState, fail])
  return (
    <div class="two">
      <div class="stack">
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
          <p class="note">{(state.learning ? learningOn : learningOff).join(" ")}</p>
        </Panel>
        <Panel title="Engine">
          <EngineSetup proxy={proxy} />
        </Panel>
        <Panel title="Import a history">
          <p class="note first">The file is read on this machine. Only its topics and days are kept.</p>
          <ImportHistory proxy={proxy} />
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
          <p class="note">{(browser.isKept ? tokenInBrowser : tokenInTab).join(" ")}</p>
        </Panel>
        <Panel title="Start in three steps">
          <p class="note first">What stays here, what is sensitive, which engine.</p>
          <a href="#start">Open the start again</a>
        </Panel>
        <div class="keyboard-hint">
          <Keys />
        </div>
      </div>
      <div class="stack">
        <EngineLimits state={state} onChange={(settings) => void change(settings)} />
        <QueryRules state={state} onChange={(settings) => void change(settings)} />
      </div>
    </div>
  )
}

function Keys() {
  return (
    <Panel title="Keys">
      <dl class="keys">
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>goes to the search box</dd>
        <dt>
          <kbd>↑</kbd> <kbd>↓</kbd>
        </dt>
        <dd>move through the topics; a letter jumps to the next topic that begins with it</dd>
        <dt>
          <kbd>→</kbd> <kbd>←</kbd>
        </dt>
        <dd>open and close a topic</dd>
        <dt>
          <kbd>Enter</kbd>
        </dt>
        <dd>marks a topic as sensitive, or removes the mark</dd>
      </dl>
    </Panel>
  )
}
