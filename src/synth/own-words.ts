import { mixWords } from "../kernels/random.ts"
import type { Author } from "./author.ts"
import { model } from "./model.ts"
import { powerLaw } from "./power-law.ts"
import type { Vocabulary } from "./vocabulary.ts"
import { kinds, ownSiteId, type WordCode, wordCode } from "./word-codes.ts"

/**
 * What people come back to: names, sites, a home town and subjects of their own. Nothing is stored: everything follows
 * by hashing from the author's key and a rank, and ranks are drawn by power laws. So the first ranks recur, across
 * sessions and across the parts of a busy user, and new ones never end.
 */
export interface OwnWords {
  /** True if the author uses a word of their own. `share` is how often that happens on average; people differ. */
  wants(author: Author, share: number): boolean
  /** A name that nobody else has. */
  name(author: Author): WordCode
  /** A site that nobody else visits: its topic and its id. */
  site(author: Author): { topic: number; id: number }
  /** The author's town. Others may live there too, because it is drawn by the law of all towns. */
  town(author: Author): WordCode
  /**
   * A uniform number that selects something of a subject. Often it is one that the author drew before for this subject.
   */
  unit(author: Author, subject: number): number
}

/** How often a person comes back to what is their own, as a multiple of the average. */
export function habitOf(key: number): number {
  const { least, most } = model.ownHabit
  return least + (most - least) * (mixWords(key, 0x68616269) / 2 ** 32) ** 2
}

export function createOwnWords({ topics }: Vocabulary): OwnWords {
  const nameLaw = powerLaw(model.ownName)
  const siteLaw = powerLaw(model.ownSite)
  const subjectLaw = powerLaw(model.ownSubject)
  const townLaw = powerLaw(model.town)
  return {
    wants: (author, share) => author.random.unit() < share * habitOf(author.key),
    name({ key, random }) {
      const rank = nameLaw(random.unit())
      return wordCode(kinds.own, mixWords(key, rank) + (mixWords(rank, key) & 0xfff) * 2 ** 32)
    },
    site({ key, random }) {
      const bits = mixWords(key ^ 0x73697465, siteLaw(random.unit()))
      const topic = mixWords(bits, key) % topics
      return { topic, id: ownSiteId(topic, bits) }
    },
    town: ({ key }) => wordCode(kinds.town, townLaw(mixWords(key, 0x746f776e) / 2 ** 32)),
    unit(author, subject) {
      const { key, random } = author
      if (random.unit() >= model.ownSubject.share * habitOf(author.key)) return random.unit()
      return mixWords(mixWords(key, subject), subjectLaw(random.unit())) / 2 ** 32
    },
  }
}
