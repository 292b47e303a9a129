import type { RegisteredRelease } from "./release-types.ts"
import { stateWords } from "./release-words.ts"

interface PickProps {
  releases: readonly RegisteredRelease[]
  chosen: RegisteredRelease
  onPick(name: string): void
}

/** Chooses the release that a screen is about. Nothing is shown if there is only one. */
export function PickRelease({ releases, chosen, onPick }: PickProps) {
  if (releases.length < 2) return null
  return (
    <label class="pick">
      Release
      <select value={chosen.name} onChange={(event) => onPick(event.currentTarget.value)}>
        {releases.toReversed().map(({ name, state }) => (
          <option key={name} value={name}>
            {name} ({stateWords[state].word})
          </option>
        ))}
      </select>
    </label>
  )
}
