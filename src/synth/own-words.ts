import { mixWords } from "../kernels/random.ts"
import type { Author } from "./author.ts"
import { model } from "./model.ts"
import { powerLaw } from "./power-law.ts"
import type { Vocabulary } from "./vocabulary.ts"
import { kinds, ownSiteId, type WordCode, wordCode } from "./word-codes.ts"

/**
 * What people come back to: names, sites, a home town and subjects of their own. Nothing is remembered: all follows from the
 * author's key and a rank by hashing, and ranks are drawn by power laws. So the first ranks come again and again, over
 * sessions and over the parts of a busy user, and new ones never end.
 */
export interface OwnWords {
  /** True if the author puts in a word of their own, which they do this often on average; some people more than others. */
  wants(author: Author, share: number): boolean
  /** A name that nobody else has. */
  name(author: Author): WordCode
  /** A site that nobody else goes to: its topic and its id. */
  site(author: Author): { topic: number; id: number }
  /** Their town, which others may live in too: it is drawn by the law of all towns. */
  town(author: Author): WordCode
  /** A uniform number, by which something of a subject is drawn; often one that the author drew before for this subject. */
  unit(author: Author, subject: number): number
}

/** How much somebody comes back to what is their own, as a multiple of the average. */
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
