import { useState } from "preact/hooks"

let drawn = 0

/** An id that no other demo of the page has. (Preact's `useId` repeats in each demo, because each has its own root.) */
export function useOwnId(): string {
  const [id] = useState(() => {
    drawn++
    return `qv-${drawn}`
  })
  return id
}
