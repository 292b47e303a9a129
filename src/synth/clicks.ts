import { mixWords, type SeededStream } from "../kernels/random.ts"
import type { Draft } from "./draft.ts"
import { model } from "./model.ts"
import { powerLaw } from "./power-law.ts"
import type { RowBuffer } from "./row-buffer.ts"
import { siteId, siteOf, type WordWriter } from "./word-codes.ts"

export interface Clicker {
  /** How many results of a page are clicked: often none, seldom several. */
  count(draft: Draft, random: SeededStream): number
  /** Writes rank and url of a click below `rank`. Returns the click's rank. */
  write(rows: RowBuffer, click: Click, random: SeededStream): number
}

interface Click {
  draft: Draft
  /** Hash of the query's text. */
  hash: number
  /** The last rank that was clicked, or the number of results before this page. */
  rank: number
  first: boolean
}

/**
 * Clicks by rank. A query always has the same site at a rank: one of the topic's sites, with popular ones more often.
 * If a query names a site, its first result is that site.
 */
export function createClicker(words: WordWriter, seed: number): Clicker {
  const rankLaw = powerLaw(model.rank)
  const siteLaw = powerLaw(model.clickedSiteRank)
  const resultAt = ({ draft, hash }: Click, rank: number) => {
    const named = rank === 1 ? siteOf(draft.codes[0]) : -1
    if (named >= 0) return named
    return siteId(draft.topic, siteLaw(mixWords(hash ^ seed, rank) / 2 ** 32))
  }
  return {
    count(draft, random) {
      const share = siteOf(draft.codes[0]) >= 0 ? model.clickedSite : model.clicked
      if (random.unit() >= share) return 0
      let clicks = 1
      while (clicks < 8 && random.unit() < model.anotherClick) clicks++
      return clicks
    },
    write(rows, click, random) {
      const rank = click.rank + (click.first ? 1 + rankLaw(random.unit()) : 1 + Math.floor(random.unit() ** 2 * 3))
      const digits = String(rank)
      for (let i = 0; i < digits.length; i++) rows.bytes[rows.at++] = digits.charCodeAt(i)
      rows.bytes[rows.at++] = 9
      rows.at = words.url(rows.bytes, rows.at, resultAt(click, rank))
      return rank
    },
  }
}
