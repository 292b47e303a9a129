import { useId } from "preact/hooks"
import { isActive } from "../job-words.ts"
import type { Studio } from "../studio.ts"
import { useStart } from "../use-job.ts"
import {
  kindOf,
  type Method,
  type Option,
  parametersOf,
  sayValue,
  splitOptions,
  startForm,
  type Typed,
  titleOf,
  valuesOf,
} from "./option-fields.ts"

/** What the form of a point has in it. */
export interface FormState {
  method: string
  typed: Typed
  of: "sample" | "whole"
}

interface FormProps {
  studio: Studio
  methods: readonly Method[]
  form: FormState
  onForm(form: FormState): void
}

/** Computes one point for a method and options of one's own. */
export function PointForm({ studio, methods, form, onForm }: FormProps) {
  const { start, isStarting } = useStart(studio, "explore")
  const method = methods.find(({ name }) => name === form.method)
  if (method === undefined) return null
  const { main, more } = splitOptions(method)
  const field = (option: Option) => (
    <Field
      key={option.key}
      method={method.name}
      option={option}
      text={form.typed[option.key] ?? ""}
      onText={(text) => onForm({ ...form, typed: { ...form.typed, [option.key]: text } })}
    />
  )
  return (
    <form
      id="point-form"
      class="point-form"
      onSubmit={(event) => {
        event.preventDefault()
        void start({ of: form.of, point: { method: method.name, parameters: parametersOf(method, form.typed) } })
      }}
    >
      <label class="wide">
        Method
        <select
          value={method.name}
          onChange={(event) => {
            const next = methods.find(({ name }) => name === event.currentTarget.value)
            if (next !== undefined) onForm({ ...form, method: next.name, typed: startForm(next) })
          }}
        >
          {methods.map(({ name, summary }) => (
            <option key={name} value={name}>
              {name}: {summary}
            </option>
          ))}
        </select>
      </label>
      {main.map(field)}
      {more.length > 0 && (
        <details class="wide">
          <summary>More options</summary>
          <div class="fields">{more.map(field)}</div>
        </details>
      )}
      <fieldset class="wide">
        <legend>Compute it on</legend>
        {(["sample", "whole"] as const).map((of) => (
          <label class="radio" key={of}>
            <input type="radio" name="of" checked={form.of === of} onChange={() => onForm({ ...form, of })} />
            {of === "sample" ? "a sample (faster)" : "the whole log"}
          </label>
        ))}
      </fieldset>
      <button type="submit" disabled={isStarting || isActive(studio.jobOf("explore"))}>
        Compute this point
      </button>
    </form>
  )
}

interface FieldProps {
  method: string
  option: Option
  text: string
  onText(text: string): void
}

function Field({ method, option, text, onText }: FieldProps) {
  const { key, says } = option
  const [id, help] = [useId(), useId()]
  return (
    <div class="field">
      <label for={id}>{titleOf(method, key)}</label>
      <Input {...{ option, text, id, help, onText }} isRequired={key === "epsilon"} />
      <small id={help}>{says.charAt(0).toUpperCase() + says.slice(1)}.</small>
    </div>
  )
}

type InputProps = Omit<FieldProps, "method"> & { id: string; help: string; isRequired: boolean }

function Input({ option, text, id, help, isRequired, onText }: InputProps) {
  const { key, minimum, maximum } = option
  const bounds = { ...(minimum !== undefined && { min: minimum }), ...(maximum !== undefined && { max: maximum }) }
  const onInput = (event: { currentTarget: HTMLInputElement }) => onText(event.currentTarget.value)
  switch (kindOf(option)) {
    case "choice":
      return (
        <select id={id} aria-describedby={help} value={text} onChange={(event) => onText(event.currentTarget.value)}>
          {option.default === undefined && <option value="">as the method has it</option>}
          {valuesOf(option).map((value) => (
            <option key={value} value={value}>
              {sayValue(key, value)}
            </option>
          ))}
        </select>
      )
    case "share":
      return (
        <span class="slider">
          <input type="range" id={id} aria-describedby={help} step="0.01" value={text} {...bounds} onInput={onInput} />
          <output>{text}</output>
        </span>
      )
    case "number":
      return (
        <input
          type="number"
          id={id}
          aria-describedby={help}
          step={Number.isInteger(minimum ?? 0.5) ? 1 : "any"}
          value={text}
          {...bounds}
          onInput={onInput}
        />
      )
    default:
      return (
        <input
          type="text"
          id={id}
          aria-describedby={help}
          autocomplete="off"
          spellcheck={false}
          required={isRequired}
          value={text}
          onInput={onInput}
        />
      )
  }
}
