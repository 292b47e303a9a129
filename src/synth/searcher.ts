import type { SeededStream } from "../kernels/random.ts"
import type { Author } from "./author.ts"
import type { Composer } from "./compose.ts"
import { copyDraft, type Draft, emptyDraft } from "./draft.ts"
import { createHistory } from "./history.ts"
import { model } from "./model.ts"
import { habitOf } from "./own-words.ts"
import type { Successors } from "./successors.ts"

/** Plays one user after another, and chooses what they search next. */
export interface Searcher {
  /** Starts another user: interests are drawn, and the history is empty. */
  meet(author: Author): void
  /** Starts another session of the same user, with a topic of its own. */
  sit(author: Author): void
  /** Writes the next query to `draft`. Returns true if it is new to the user, false if it came from the history. */
  next(author: Author): boolean
  readonly draft: Draft
}

/** Of searches that come after another in their session, the share `follow` are a usual successor of it. */
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
  /** Takes up the previous search, or one from the history. Only searches with two words or more qualify. */
  const takeUp = (author: Author) => {
    const { random } = author
    if (before.length >= 2 && random.unit() < model.reformulation) copyDraft(before, draft)
    else if (history.size() > 0 && random.unit() < model.revisit * habitOf(author.key))
      history.recall(random.below(history.size()), draft)
    else return false
    return draft.length >= 2
  }
  /** Changes the draft: one word more, one word less, or another word. */
  const change = (author: Author) => {
    const share = author.random.unit()
    if (share < model.longer && draft.length < model.mostWords) composer.extend(draft, author)
    else if (share < model.longer + model.shorter && draft.length > 2) draft.length--
    else composer.vary(draft, author)
  }

  /** If `follow` is 0, no number is drawn, so that the log is the same as before `--follow` existed. */
  const moveOn = (random: SeededStream) =>
    follow > 0 && before.length > 0 && random.unit() < follow && successors.follow(before, draft, random)

  return {
    draft,
    meet({ random }) {
      history.clear()
      interestCount = model.fewestInterests + random.below(model.mostInterests - model.fewestInterests + 1)
      for (let i = 0; i < interestCount; i++) interests[i] = composer.topic(random)
      before.length = 0
    },
    sit({ random }) {
      sessionTopic = pickTopic(random)
      before.length = 0
    },
    next(author) {
      const { random } = author
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
      if (takeUp(author)) change(author)
      else {
        draft.topic = random.unit() < model.sessionTopicShare ? sessionTopic : pickTopic(random)
        composer.compose(draft, composer.length(random), author)
      }
      history.push(draft)
      copyDraft(draft, before)
      return true
    },
  }
}
