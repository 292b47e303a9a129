import type { Draft } from "./draft.ts"
import { model } from "./model.ts"

/** A user's recent searches: the last queries as codes, in a ring buffer. */
export interface History {
  size(): number
  clear(): void
  push(draft: Draft): void
  /** Copies the entry at a position below `size()` into the draft. */
  recall(place: number, draft: Draft): void
}

const places = 48
const width = model.mostWords

export function createHistory(): History {
  const codes = new Float64Array(places * width)
  const lengths = new Uint8Array(places)
  const topics = new Uint32Array(places)
  let pushed = 0
  return {
    size: () => Math.min(pushed, places),
    clear: () => {
      pushed = 0
    },
    push(draft) {
      const place = pushed++ % places
      lengths[place] = draft.length
      topics[place] = draft.topic
      for (let i = 0; i < draft.length; i++) codes[place * width + i] = draft.codes[i]
    },
    recall(place, draft) {
      draft.length = lengths[place]
      draft.topic = topics[place]
      for (let i = 0; i < draft.length; i++) draft.codes[i] = codes[place * width + i]
    },
  }
}
