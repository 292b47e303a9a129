import { useOwnId } from "./use-own-id.ts"

interface SliderProps {
  label: string
  /** The value in words. */
  shown: string
  min: number
  max: number
  step?: number
  value: number
  onChange(value: number): void
}

/** A slider with its label and its value in words. */
export function Slider({ label, shown, min, max, step = 1, value, onChange }: SliderProps) {
  const id = useOwnId()
  return (
    <div class="qv-slider">
      <label for={id}>
        {label} <output>{shown}</output>
      </label>
      <input
        id={id}
        type="range"
        {...{ min, max, step, value }}
        aria-valuetext={shown}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
    </div>
  )
}
