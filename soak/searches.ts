import type { Random } from "./random.ts"

/**
 * A search as it is sent. Its url contains its number, and its time is unique, so that a release can be traced back to
 * it.
 */
export interface Search {
  id: number
  user: string
  query: string
  time: string
  rank: number
  /** The path of its topic; undefined if it has none. */
  topic: readonly string[] | undefined
  /** True if its time cannot be read, so that it is rejected. */
  isBroken: boolean
}

/** Topics of three levels, each known by one word. */
const topicWords: readonly [[string, string], ...[string, string][]] = [
  ["pets", ""],
  ["pets/dogs", "dog"],
  ["pets/dogs/hounds", "hound"],
  ["pets/cats", "cat"],
  ["cars", "car"],
  ["cars/vans", "van"],
]

/** The file of `--taxonomy`. */
export const topicsFile = topicWords.map(([path, word]) => `${path}\t1\t${word}\n`).join("")

const urlOf = (id: number) => `https://r.example/${id}`
export const idOf = (url: string) => Number(/^https:\/\/r\.example\/(\d+)$/.exec(url)?.[1] ?? Number.NaN)

const firstTime = Date.UTC(2026, 2, 1)
const timeOf = (id: number) => new Date(firstTime + id * 1000).toISOString().slice(0, 19).replace("T", " ")
/** The number of the search that has this time. */
export const idAt = (time: string) => (Date.parse(`${time.replace(" ", "T")}Z`) - firstTime) / 1000

const users = 40
const sharedTexts = 25

/**
 * Makes searches one after another. Most have a text of their own; some repeat an earlier text of their user or share a
 * common one.
 */
export function searchMaker(random: Random): () => Search {
  const recent: Search[] = []
  let next = 0
  return () => {
    const id = next++
    const [path, word] = random.pick(topicWords.slice(1) as [[string, string], ...[string, string][]])
    const search: Search = {
      id,
      user: `user-${random.below(users)}`,
      query: `${word} w${id}`,
      time: timeOf(id),
      rank: 1 + (id % 10),
      topic: path.split("/"),
      isBroken: false,
    }
    const again = recent[random.below(recent.length)]
    const kind = id < 50 ? 0 : random.below(100)
    if (kind < 75 || again === undefined) search.query = `${word} w${id}`
    else if (kind < 85) Object.assign(search, { user: again.user, query: again.query, topic: again.topic })
    else if (kind < 95) search.query = `${word} s${random.below(sharedTexts)}`
    else if (kind < 98) Object.assign(search, { query: `zzz w${id}`, topic: undefined })
    else Object.assign(search, { time: "never", isBroken: true })
    if (search.topic !== undefined && !search.isBroken) recent[id % 100] = search
    return search
  }
}

/** A search as a JSON object, without a line feed. */
export const jsonOf = ({ id, user, query, time, rank }: Search) =>
  JSON.stringify({ user, query, time, rank, url: urlOf(id) })

export const linesOf = (searches: readonly Search[]) => searches.map((search) => `${jsonOf(search)}\n`).join("")
