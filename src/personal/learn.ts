import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { TopicSearcher } from "../taxonomy/classify/topic-searcher.ts"
import { detectTopic, type PersonalDocument } from "./detect-topic.ts"
import { dayOf, type Interests } from "./interests.ts"

/** How many documents were read, and how many of them have a topic. */
export interface Learned {
  documents: number
  placed: number
}

/**
 * Adds documents to a person's interests: Shou et al. 2014, Offline-1. Documents without a topic are left out. A
 * cancelled run adds no documents.
 */
export async function learnDocuments(
  interests: Interests,
  documents: Iterable<PersonalDocument>,
  options: { searcher: TopicSearcher; context: RunContext; total?: number },
): Promise<Learned> {
  const { searcher, context, total } = options
  const placed: { topic: number; day: number }[] = []
  let done = 0
  for (const document of documents) {
    const topic = detectTopic(searcher, document)
    if (topic > 0) placed.push({ topic, day: dayOf(document.time) })
    if (++done % 256 === 0)
      await yieldAndReport(context, { stage: "learning", done, ...(total !== undefined && { total }) })
  }
  for (const { topic, day } of placed) interests.add(topic, { day })
  return { documents: done, placed: placed.length }
}

/**
 * One user's part of a click log, as documents: each click with its query and the words of its url, and each search
 * without a click by its query. A log of one user needs no name. In a log of several users, one must be named.
 */
export function documentsOf(log: SearchLog, options: { user?: string }): PersonalDocument[] {
  const user = options.user === undefined ? onlyUser(log) : log.users.find(options.user)
  if (user < 0)
    throw new QueryveilError("unknown-name", "The log has no user with the name given by --user.", { flag: "--user" })
  const documents: PersonalDocument[] = []
  for (let row = 0; row < log.rows; row++) {
    if (log.user[row] === user) documents.push(documentOfRow(log, row))
  }
  return documents
}

/** A row of a log as a document: the query and, if there is a click, the words of its url. */
export function documentOfRow(log: SearchLog, row: number): PersonalDocument {
  const query = log.queries.text(log.query[row])
  const url = log.url[row] < 0 ? "" : ` ${wordsOfUrl(log.urls.text(log.url[row]))}`
  return { query, text: `${query}${url}`, time: log.time[row] }
}

function onlyUser({ users }: SearchLog): number {
  if (users.size <= 1) return 0
  throw new QueryveilError(
    "usage",
    `The log has ${users.size.toLocaleString("en")} users, and a profile is of one. Choose one with --user.`,
    { flag: "--user" },
  )
}

/** The words of an address: its host as one word, which the word reader splits, and the words of its path. */
export function wordsOfUrl(url: string): string {
  const [host = "", ...path] = url.replace(/^[a-z]+:\/*/i, "").split(/[/?#&=+_%.-]*[/?#&=+_%][/?#&=+_%.-]*/)
  return [host, ...path.filter((part) => /\p{L}{3}/u.test(part))].join(" ")
}
