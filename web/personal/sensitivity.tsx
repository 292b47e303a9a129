import { asRisk, splitPath } from "./words.ts"

/** At first, and where nothing else is said: as private as can be. */
export const fully = 1

interface SensitivityProps {
  path: string
  /** 0 where the topic is not marked. */
  sensitivity: number
  onMark(path: string, sensitivity: number): void
}

/** How private a topic is: a slider from 0.1 to 1, and a button that marks it or clears the mark. */
export function Sensitivity({ path, sensitivity, onMark }: SensitivityProps) {
  const { name } = splitPath(path)
  const isMarked = sensitivity > 0
  const action = isMarked ? "Not sensitive" : "Mark as sensitive"
  return (
    <div class="sensitivity">
      {isMarked && (
        <label class="slider">
          <span>
            sensitivity <output>{asRisk(sensitivity)}</output>
          </span>
          <input
            type="range"
            min={0.1}
            max={1}
            step={0.1}
            value={sensitivity}
            aria-label={`Sensitivity of ${name}`}
            onChange={(event) => onMark(path, Number(event.currentTarget.value))}
          />
        </label>
      )}
      <button
        type="button"
        class="plain"
        aria-label={`${action}: ${name}`}
        onClick={() => onMark(path, isMarked ? 0 : fully)}
      >
        {action}
      </button>
    </div>
  )
}
