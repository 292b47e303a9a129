import { useState } from "preact/hooks"
import type { StreamFigures } from "../../src/stream/live/stream-figures.ts"
import { Panel } from "../shared/panel.tsx"
import { changeConfig } from "./stream-api.ts"

type Outcome = { kind: "idle" | "sending" } | { kind: "done" | "failed"; message: string }

/** Changes k and depth of the running stream, and reports the result. */
export function Settings({ figures, token }: { figures: StreamFigures; token: string }) {
  // What was typed; undefined if nothing was, then the stream's own value applies.
  const [k, setK] = useState<string>()
  const [depth, setDepth] = useState<string>()
  const [outcome, setOutcome] = useState<Outcome>({ kind: "idle" })
  const change = { ...changed("k", k, figures.k), ...changed("depth", depth, figures.depth) }
  const isSame = Object.keys(change).length === 0

  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isSame || outcome.kind === "sending") return
    setOutcome({ kind: "sending" })
    try {
      const message = await changeConfig(change, token)
      const said = Object.entries(change).map(([name, value]) => `${name} = ${value}`)
      setOutcome({ kind: "done", message: `${message} (${said.join(", ")})` })
      setK(undefined)
      setDepth(undefined)
    } catch (error) {
      const message = error instanceof TypeError ? "The stream could not be reached." : messageOf(error)
      setOutcome({ kind: "failed", message })
    }
  }
  return (
    <Panel title="Settings" aside={<span class="unit">{figures.mode} mode</span>}>
      <form onSubmit={send}>
        <Field
          name="k"
          label="k, others to hide among"
          value={k ?? `${figures.k}`}
          bounds={[1, 10_000]}
          onValue={setK}
        />
        <Field
          name="depth"
          label="Depth of topics"
          value={depth ?? `${figures.depth}`}
          bounds={[1, 64]}
          onValue={setDepth}
        />
        <button type="submit" disabled={isSame || outcome.kind === "sending"}>
          {outcome.kind === "sending" ? "Changing…" : "Change"}
        </button>
      </form>
      <p class={`note outcome ${outcome.kind}`} role="status">
        {"message" in outcome
          ? outcome.message
          : "A change applies from the next record on, and is journalled. The risk is assessed again."}
      </p>
    </Panel>
  )
}

interface FieldProps {
  name: string
  label: string
  value: string
  bounds: readonly [number, number]
  onValue(value: string): void
}

function Field({ name, label, value, bounds: [min, max], onValue }: FieldProps) {
  return (
    <label>
      {label}
      <input
        type="number"
        name={name}
        min={min}
        max={max}
        step={1}
        required
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </label>
  )
}

function changed(name: "k" | "depth", typed: string | undefined, present: number): { k?: number; depth?: number } {
  const value = typed === undefined || typed === "" ? present : Number(typed)
  return value === present ? {} : { [name]: value }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
