import { seededRandom } from "../../kernels/random.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { detectTopic } from "../../personal/detect-topic.ts"
import { documentOfRow } from "../../personal/learn.ts"
import { type AskedQuery, type Person, personOf, situationsOfPerson } from "./person.ts"
import type { World } from "./world.ts"

/** A user with fewer events has too little history to learn from and to test on. */
const leastEvents = 4

/**
 * The people of the log with the most clicks, then with the most searches, after §7.1. Each profile is learned from the
 * clicks and searches of the first half of a person's events, in time. Their test queries are those of the second half.
 * People without a topic at depth 3 or deeper are skipped, and so are people whose profile has nothing about their test
 * queries.
 */
export function findLogPeople(world: World, options: { users: number; asked: number }): Person[] {
  const people: Person[] = []
  for (const span of rankUsers(world.log)) {
    if (people.length >= options.users) break
    const person = learnPerson(world, span, { ...options, number: people.length })
    if (person.sensitive.length > 0 && situationsOfPerson(person).length > 0) people.push(person)
  }
  return people
}

/** The rows of a user, which are adjacent: the log is sorted by user and time. */
interface UserSpan {
  user: number
  from: number
  to: number
  clicks: number
  events: number
}

function rankUsers({ rows, user, url, event }: SearchLog): UserSpan[] {
  const spans: UserSpan[] = []
  for (let row = 0, from = 0; row < rows; row++) {
    if (row + 1 < rows && user[row + 1] === user[row]) continue
    const clicks = url.subarray(from, row + 1).reduce((sum, id) => sum + (id < 0 ? 0 : 1), 0)
    const events = (event[row] ?? 0) - (event[from] ?? 0) + 1
    if (events >= leastEvents) spans.push({ user: user[row] ?? 0, from, to: row + 1, clicks, events })
    from = row + 1
  }
  return spans.sort((a, b) => b.clicks - a.clicks || b.events - a.events || a.user - b.user)
}

function learnPerson(world: World, span: UserSpan, options: { asked: number; number: number }): Person {
  const { log, searcher } = world
  const firstAsked = (log.event[span.from] ?? 0) + Math.ceil(span.events / 2)
  const supports = new Map<number, number>()
  const clicked = new Map<number, Set<number>>()
  for (let row = span.from; row < span.to; row++) {
    if ((log.event[row] ?? 0) < firstAsked) {
      const topic = detectTopic(searcher, documentOfRow(log, row))
      if (topic > 0) supports.set(topic, (supports.get(topic) ?? 0) + 1)
      continue
    }
    const query = log.query[row] ?? 0
    const urls = clicked.get(query) ?? new Set<number>()
    if ((log.url[row] ?? -1) >= 0) urls.add(log.url[row] ?? 0)
    clicked.set(query, urls)
  }
  const queries: AskedQuery[] = []
  for (const [id, urls] of clicked) {
    const query = world.queryOf(id)
    if (query !== undefined && queries.length < options.asked) queries.push({ ...query, clicked: urls })
  }
  const random = seededRandom(3000 + options.number)
  return personOf(world, { number: options.number, user: span.user, queries, supports }, random)
}
