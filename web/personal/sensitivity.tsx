import { isNever } from "./proxy.ts"
import { asRisk, splitPath } from "./words.ts"

/** The default sensitivity: as private as possible. */
export const fully = 1

/** The marks that a person can put on a topic. */
export interface Marking {
  onMark(path: string, sensitivity: number): void
  onNever(path: string, isNever: boolean): void
}

interface SensitivityProps extends Marking {
  path: string
  /** 0 if the topic is not marked. */
  sensitivity: number
  /** How it is marked never show: itself, or by a topic above it. */
  never: "itself" | "above" | undefined
}

/**
 * How private a topic is: a slider from 0.1 to 1, a button that sets or clears the mark, and one that never shows the
 * topic.
 */
export function Sensitivity({ path, sensitivity, never, onMark, onNever }: SensitivityProps) {
  const { name } = splitPath(path)
  const isMarked = sensitivity > 0
  const action = isMarked ? "Not sensitive" : "Mark as sensitive"
  return (
    <div class="sensitivity">
      {isMarked && never === undefined && (
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
      {never !== undefined && (
        <p class="note">
          {never === "itself"
            ? "Never shown, nor is anything below it, whatever your limits are."
            : "Never shown, because a topic above it is marked “Never show”."}
        </p>
      )}
      <div class="actions">
        {never === undefined && (
          <button
            type="button"
            class="plain"
            aria-label={`${action}: ${name}`}
            onClick={() => onMark(path, isMarked ? 0 : fully)}
          >
            {action}
          </button>
        )}
        {never !== "above" && (
          <button
            type="button"
            class="plain"
            aria-label={`${never === "itself" ? "May be shown" : "Never show"}: ${name}`}
            onClick={() => onNever(path, never !== "itself")}
          >
            {never === "itself" ? "May be shown" : "Never show"}
          </button>
        )}
      </div>
    </div>
  )
}

/** Whether a topic is marked never show: itself, or by a topic above it. */
export function neverBy(never: readonly string[], path: string): "itself" | "above" | undefined {
  if (never.includes(path)) return "itself"
  return isNever(never, path) ? "above" : undefined
}
