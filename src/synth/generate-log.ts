import { civilTimeWriter, daysFromCivil } from "../kernels/civil-time.ts"
import { type RandomSource, seededRandom } from "../kernels/random.ts"
import { inventWords, zipfRank } from "./vocabulary.ts"

export interface SynthOptions {
  rows: number
  users: number
  seed: number
  /** Share of searches that carry a planted secret. */
  secrets?: number
}

export type SecretKind = "name" | "card" | "address"

/** A planted secret: the line of the generated file it stands in (the header is line 1). */
export interface PlantedSecret {
  row: number
  kind: SecretKind
}

/** A piece of the file, and the secrets planted in it. */
export interface SynthChunk {
  bytes: Uint8Array
  rows: number
  secrets: PlantedSecret[]
}

const firstDay = daysFromCivil(2006, 3, 1)
const days = 92
const chunkBytes = 1 << 20
const longestRow = 512

/**
 * An AOL-shaped log without any real person: users with heavy-tailed activity search popular queries, refinements of
 * them, what they searched before, and things nobody else searches, in sessions, and click on half of them.
 * Yields the file a chunk at a time; the same options give the same bytes.
 */
export function* generateLog(options: SynthOptions): Generator<SynthChunk> {
  const { rows, users, seed, secrets = 0.0005 } = options
  const random = seededRandom(seed)
  const queries = queryMaker(random, seed, Math.max(50, Math.floor(rows / 60)))
  const writeTime = civilTimeWriter()
  const buffer = Buffer.allocUnsafe(chunkBytes + longestRow * 8)
  let at = buffer.write("AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n", 0, "latin1")
  let planted: PlantedSecret[] = []
  let chunkRows = 0
  let line = 1
  let left = rows
  let anonId = 1000

  for (let user = 0; user < users && left > 0; user++) {
    anonId += 1 + random.below(20)
    // Activity is heavy-tailed around the mean of what is left; the last user takes the rest.
    const mean = left / (users - user)
    const heavy = Math.ceil((mean * 0.25) / Math.sqrt(1 - random.uint32() / 0x1_0000_0001) + mean * 0.5)
    const othersNeed = Math.min(left - 1, users - user - 1) // at least one row each
    let activity = user === users - 1 ? left : Math.min(left - othersNeed, heavy)
    let time = firstDay * 86400 + random.below(86400 * 7)
    const step = Math.max(60, Math.floor((86400 * (days - 8)) / activity))
    const history: string[] = []
    const id = String(anonId)
    while (activity > 0) {
      const session = Math.min(activity, 1 + random.below(6))
      for (let i = 0; i < session && activity > 0; i++) {
        let query: string
        let kind: SecretKind | undefined
        if (random.uint32() < secrets * 0x1_0000_0000) {
          ;[query, kind] = queries.secret()
        } else if (history.length > 0 && random.below(100) < 25) {
          query = history[random.below(history.length)]
        } else {
          query = queries.next()
        }
        if (history.length < 200) history.push(query)
        const clicks = random.below(100) < 46 ? 1 + (random.below(8) === 0 ? 1 : 0) : 0
        for (let click = 0; click < Math.max(1, clicks) && activity > 0; click++) {
          at += buffer.write(id, at, "latin1")
          buffer[at++] = 9
          at += buffer.write(query, at, "latin1")
          buffer[at++] = 9
          writeTime(buffer, at, time)
          at += 19
          buffer[at++] = 9
          if (clicks > 0) {
            const rank = 1 + zipfRank(10, random) + click
            at += buffer.write(`${rank}\t${queries.url(query, rank)}`, at, "latin1")
          } else {
            buffer[at++] = 9
          }
          buffer[at++] = 10
          line++
          chunkRows++
          activity--
          left--
          if (kind !== undefined) planted.push({ row: line, kind })
        }
        if (at >= chunkBytes) {
          yield { bytes: Uint8Array.prototype.slice.call(buffer, 0, at), rows: chunkRows, secrets: planted }
          at = 0
          chunkRows = 0
          planted = []
        }
        time += 20 + random.below(300)
      }
      time += 1800 + random.below(2 * step * session)
    }
  }
  yield { bytes: Uint8Array.prototype.slice.call(buffer, 0, at), rows: chunkRows, secrets: planted }
}

/** Query texts and the urls that answer them. */
function queryMaker(random: RandomSource, seed: number, heads: number) {
  const words = inventWords(60_000, seed)
  const word = () => words[zipfRank(words.length, random)]
  // A head's words follow from its rank, so that it is the same query each time.
  const mixed = (rank: number, salt: number) => (Math.imul(rank + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b)) >>> 0
  const head = () => {
    const rank = zipfRank(heads, random)
    if (rank % 5 === 0) return `www.${words[mixed(rank, 1) % words.length]}.com`
    const first = words[mixed(rank, 2) % words.length]
    return rank % 3 === 0 ? first : `${first} ${words[mixed(rank, 3) % 5000]}`
  }
  const digits = (count: number) => Array.from({ length: count }, () => random.below(10)).join("")
  return {
    next(): string {
      const kind = random.below(100)
      if (kind < 52) return head()
      if (kind < 66) return `${head()} ${word()}`
      if (kind < 74) return `${word()} ${head()}`
      if (kind < 78) return `${word()} ${head()} ${word()}`
      if (kind < 90) return `${word()} ${word()}`
      return `${word()} ${word()} ${word()} ${words[random.below(words.length)]}`
    },
    secret(): [string, SecretKind] {
      const rare = () => words[words.length - 1 - random.below(words.length >> 2)]
      const kind = random.below(3)
      if (kind === 0) return [`${rare()} ${rare()} ${word()}`, "name"]
      if (kind === 1) return [`${word()} 4${digits(15)}`, "card"]
      return [`${1 + random.below(9999)} ${rare()} street ${word()}`, "address"]
    },
    url(query: string, rank: number): string {
      let hash = seed
      for (let i = 0; i < query.length && query.charCodeAt(i) !== 32; i++) {
        hash = Math.imul(hash ^ query.charCodeAt(i), 0x01000193)
      }
      hash = Math.imul(hash ^ rank, 0x01000193) >>> 0
      return `http://www.${words[hash % words.length]}${words[(hash >>> 8) % 400]}.com`
    },
  }
}
