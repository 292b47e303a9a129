import { useState } from "preact/hooks"
import type { State } from "./answers.ts"
import { ApiError, type Tried } from "./api.ts"
import { ConfirmButton } from "./confirm-button.tsx"
import { engineKinds, engineLabel, sayEngine } from "./engine-words.ts"
import type { PersonalProxy } from "./proxy.ts"
import { counted } from "./words.ts"

/** Chooses the engine, and adds and removes engines. */
export function EngineSetup({ proxy }: { proxy: PersonalProxy }) {
  const { api, state, setState, fail, say } = proxy
  const take = (after: State) => setState(() => after)
  const choose = (engine: string) =>
    api.change({ engine }).then((after) => {
      take(after)
      say(`Searches go to ${engineLabel(engine)}.`)
    }, fail)
  const remove = (engine: string) =>
    api.removeEngine(engine).then((after) => {
      take(after)
      say(`${engine} is removed.`)
    }, fail)
  return (
    <>
      <fieldset class="engines">
        <legend class="unseen">Engine</legend>
        {state.engines.map((engine) => (
          <div class="engine" key={engine.name}>
            <label>
              <input
                type="radio"
                name="engine"
                checked={engine.name === state.engine}
                onChange={() => void choose(engine.name)}
              />
              <span>
                {engineLabel(engine.name)}
                <small>{sayEngine(engine)}</small>
              </span>
            </label>
            {engine.added && (
              <ConfirmButton question="Remove it?" of={engine.name} onConfirm={() => void remove(engine.name)}>
                Remove
              </ConfirmButton>
            )}
          </div>
        ))}
      </fieldset>
      <AddEngine proxy={proxy} onChoose={choose} />
    </>
  )
}

interface Outcome {
  look: "done" | "failed"
  text: string
}

function AddEngine({ proxy, onChoose }: { proxy: PersonalProxy; onChoose(engine: string): Promise<void> }) {
  const { api, setState, fail } = proxy
  const [kind, setKind] = useState(engineKinds[0]?.kind ?? "")
  const [url, setUrl] = useState("")
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const chosen = engineKinds.find((known) => known.kind === kind)
  const add = async () => {
    setBusy(true)
    setOutcome(undefined)
    try {
      const { name, state } = await api.addEngine({ kind, url: url.trim() })
      setState(() => state)
      setUrl("")
      const tried = await api.tryEngine(name)
      if (tried.problem === undefined) await onChoose(name)
      setOutcome(sayTried(name, tried))
    } catch (error) {
      if (error instanceof ApiError && error.kind === "failed") setOutcome({ look: "failed", text: error.message })
      else fail(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <details class="add-engine">
      <summary>Add an engine</summary>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <label>
          Kind
          <select value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            {engineKinds.map(({ kind, label }) => (
              <option key={kind} value={kind}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label class="wide">
          Address
          <input
            type="url"
            name="address"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            maxLength={2000}
            placeholder={chosen?.example}
            value={url}
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={isBusy || url.trim() === ""}>
          {isBusy ? "Adding…" : "Add"}
        </button>
      </form>
      <p class="note">{chosen?.about}</p>
      <p class="note">
        Use https://, or http:// for an engine on this machine. The address must not have a password or key in it. To
        see whether the engine answers, one test word is sent; it does not come from you. The address is kept in your
        encrypted profile.
      </p>
      <p role="alert" class={outcome === undefined ? "" : `outcome ${outcome.look}`}>
        {outcome?.text}
      </p>
    </details>
  )
}

function sayTried(name: string, { query, results, problem }: Tried): Outcome {
  if (problem !== undefined)
    return { look: "failed", text: `Added, but it did not answer the test. ${problem.message} It is not used yet.` }
  const answer = `It answered the test word “${query}” with ${counted(results, "result")}.`
  return { look: "done", text: `${name} is added. ${answer} Your searches now go to it.` }
}
