import { seededStream } from "../../../src/kernels/random.ts"
import type { Search } from "../log/make-log.ts"

/** Texts from the most to the least common. Written for this page. */
const texts = [
  "weather",
  "maps",
  "news",
  "translate",
  "bus timetable",
  "pancake recipe",
  "train tickets",
  "tomato soup",
  "moon phases",
  "how to tie a tie",
  "cinema programme",
  "rain radar",
  "crossword help",
  "repot a fern",
  "bread without yeast",
  "bicycle repair",
  "swimming pool hours",
  "spelling of rhythm",
  "star chart",
  "chess openings",
  "guitar chords",
  "apple varieties",
  "library card",
  "owl sounds",
  "knots for climbing",
  "paper boat folding",
  "hedgehog in the garden",
  "old radio schematic",
  "kayak rope",
  "lighthouse keeper diary",
  "penguin hat pattern",
  "moss on slate roof",
  "antique map of the fjords",
  "left handed bagpipe teacher",
] as const

const seed = 2026
/** How much less common each text is than the one before it. */
const falls = 0.86
const mostSearches = 8

/**
 * Searches of synthetic users, drawn from a fixed seed. Each user makes one to eight searches, a minute apart, for
 * texts whose chances fall like a geometric series.
 */
export function countsSearches(users: number): Search[] {
  const random = seededStream()
  const searches: Search[] = []
  for (let user = 0; user < users; user++) {
    random.reseed(seed, user, 0)
    const count = 1 + random.below(mostSearches)
    const start = Date.UTC(2026, 2, 2) / 1000 + random.below(30 * 86_400)
    for (let i = 0; i < count; i++) {
      const rank = Math.floor(Math.log(1 - random.unit()) / Math.log(falls))
      searches.push({ user: `u${user + 1}`, query: texts[rank % texts.length], time: start + 60 * i })
    }
  }
  return searches
}
