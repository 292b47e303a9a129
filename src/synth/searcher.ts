import type { SeededStream } from "../kernels/random.ts"
import type { Composer } from "./compose.ts"
import { copyDraft, type Draft, emptyDraft } from "./draft.ts"
import { createHistory } from "./history.ts"
import { model } from "./model.ts"
import type { Successors } from "./successors.ts"

/** One user after the other, choosing what to search next. */
export interface Searcher {
  /** Another user: interests are drawn, the history is empty. */
  meet(random: SeededStream): void
  /** Another session of the same user, with a topic of its own. */
  sit(random: SeededStream): void
  /** The next query, in `draft`; true if it is new to the user, false if it was found in the history. */
  next(random: SeededStream): boolean
  readonly draft: Draft
}

/** Of searches after another of their session, the share `follow` are one of its usual successors. */
export interface Following {
  follow: number
  successors: Successors
}

export function createSearcher(composer: Composer, { follow, successors }: Following): Searcher {
  const history = createHistory()
  const draft = emptyDraft()
  const before = emptyDraft()
  const interests = new Uint32Array(model.mostInterests)
  let interestCount = 0
  let sessionTopic = 0

  const pickTopic = (random: SeededStream) => {
    if (random.unit() >= model.interestShare) return composer.topic(random)
    // The first interests are the strongest.
    return interests[Math.floor(random.unit() ** 2 * interestCount)]
  }
  /** The search before with a word more, a word less or another word; only what has two words or more is changed. */
  const reformulate = (random: SeededStream) => {
    if (before.length < 2 || random.unit() >= model.reformulation) return false
    copyDraft(before, draft)
    const change = random.unit()
    if (change < model.longer && draft.length < model.mostWords) composer.extend(draft, random)
    else if (change < model.longer + model.shorter && draft.length > 2) draft.length--
    else composer.vary(draft, random)
    return true
  }

  /** No number is drawn where nothing is to follow: such a log stays what it was before there was any following. */
  const moveOn = (random: SeededStream) =>
    follow > 0 && before.length > 0 && random.unit() < follow && successors.follow(before, draft, random)

  return {
    draft,
    meet(random) {
      history.clear()
      interestCount = model.fewestInterests + random.below(model.mostInterests - model.fewestInterests + 1)
      for (let i = 0; i < interestCount; i++) interests[i] = composer.topic(random)
      before.length = 0
    },
    sit(random) {
      sessionTopic = pickTopic(random)
      before.length = 0
    },
    next(random) {
      if (moveOn(random)) {
        history.push(draft)
        copyDraft(draft, before)
        return true
      }
      const known = history.size()
      if (known > 0 && random.unit() < model.refind) {
        history.recall(random.below(known), draft)
        if (random.unit() < model.refindByLength[Math.min(draft.length, 5) - 1]) {
          copyDraft(draft, before)
          return false
        }
      }
      if (!reformulate(random)) {
        draft.topic = random.unit() < model.sessionTopicShare ? sessionTopic : pickTopic(random)
        composer.compose(draft, composer.length(random), random)
      }
      history.push(draft)
      copyDraft(draft, before)
      return true
    },
  }
}
