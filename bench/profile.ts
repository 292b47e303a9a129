import { createProfileMatcher } from "#dist/kernels/linkage/match-profiles.js"
import { indexProfiles } from "#dist/kernels/linkage/profile-index.js"
import { type RandomSource, seededRandom } from "#dist/kernels/random.js"
import { type Bench, type Finding, ratioAtLeast, secondsAtMost, timed } from "./case.ts"

const [texts, words, users, searches] = [200_000, 60_000, 10_000, 500_000]
/** Queries to match with every profile: more by the index, because it is faster. */
const [fastQueries, plainQueries] = [2000, 20]

const skewed = (random: RandomSource, n: number) => Math.floor(n * (random.uint32() * 2 ** -32) ** 3)

/** Synthetic searches: a few words, texts and users are much more frequent than others. */
function makeSearches() {
  const random = seededRandom(1)
  const offsets = new Uint32Array(texts + 1)
  const members: number[] = []
  for (let text = 0; text < texts; text++) {
    const own = new Set(Array.from({ length: 1 + random.below(5) }, () => skewed(random, words)))
    members.push(...[...own].sort((a, b) => a - b))
    offsets[text + 1] = members.length
  }
  const column = (n: number) => Int32Array.from({ length: searches }, () => skewed(random, n))
  return {
    sets: { offsets, members: Int32Array.from(members), size: words },
    set: column(texts),
    user: column(users),
    queries: Array.from({ length: fastQueries }, () => skewed(random, texts)),
  }
}

const wordsOf = ({ sets }: ReturnType<typeof makeSearches>, text: number) =>
  sets.members.slice(sets.offsets[text], sets.offsets[text + 1])

async function matchByIndex(): Promise<Finding> {
  const made = makeSearches()
  const built = await timed(async () => indexProfiles(made.sets, { ...made, users }))
  const { seconds, value } = await timed(async () => {
    const match = createProfileMatcher(built.value, { smoothing: 0.6 })
    return made.queries.reduce((sum, text) => sum + match(wordsOf(made, text)).users.length, 0)
  })
  return { count: fastQueries, seconds, indexSeconds: built.seconds, similar: value }
}

/** Every cosine with every search of every profile, sorted and folded, as the formula is written. */
async function matchPlainly(): Promise<Finding> {
  const made = makeSearches()
  const profiles = Array.from({ length: users }, (): number[] => [])
  made.user.forEach((user, i) => {
    profiles[user]?.push(made.set[i] ?? 0)
  })
  const { seconds, value } = await timed(async () => {
    let similar = 0
    for (const text of made.queries.slice(0, plainQueries)) {
      const query = new Set(wordsOf(made, text))
      for (const profile of profiles) {
        const cosines = profile.map((search) => {
          const own = wordsOf(made, search)
          return own.filter((word) => query.has(word)).length / Math.sqrt(query.size * own.length)
        })
        const folded = cosines.sort((a, b) => a - b).reduce((m, c, i) => (i === 0 ? c : 0.6 * c + 0.4 * m), 0)
        if (folded > 0) similar++
      }
    }
    return similar
  })
  return { count: plainQueries, seconds, similar: value }
}

export const profileBench: Bench = {
  name: "profile",
  prepare: async () => {},
  cases: [
    { name: "index", run: matchByIndex },
    { name: "plain", run: matchPlainly },
  ],
  targets: [ratioAtLeast("index", "plain", 20), secondsAtMost("index", 10)],
}
