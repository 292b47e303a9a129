/** What was left out, what it is counted in, and why. */
export interface Withheld {
  count: number
  unit: string
  why: string
}

/** Reasons of the methods, by the words of the receipt. What is not here is shown as the receipt has it. */
const meanings: Readonly<Record<string, string>> = {
  "rows of queries with an identifier": "They hold something that identifies a person, such as an address.",
  "rows of queries under k": "Too few people searched for it.",
  "queries under k": "Too few people searched for it.",
  "rows of queries that are not released": "Their query is not released, for one of the reasons below.",
  "queries of fewer than k users with a likely person name": "Few people searched for it, and it may name a person.",
  "queries of fewer than k users with a word of too few users":
    "Few people searched for it, and one of its words is rare.",
  "queries that reach k only with queries that are not released":
    "Enough people searched for similar queries, but those are withheld.",
  "queries of a degree under k": "Too few people searched for it or for similar queries.",
  "queries that were not looked at": "They were not in the part that was looked at.",
  "rows of a log under k": "The log has too few people.",
  "rows without a click": "Nothing was clicked, and this method compares people by clicks.",
  "rows of clusters that are too small": "Too few queries are like it.",
  "rows whose url has too few users, or that no query of enough users can stand for":
    "Too few people clicked the address, or no common query can stand for it.",
  "rows of users who are in no group": "Their user is like nobody else.",
  "rows left out to make users alike": "They would make one person of a group stand out.",
  "searches without a topic": "No topic was found.",
  "searches over the backlog of their user": "Too many searches of the same person waited in the topic.",
  "searches whose text another user of the cell has": "Another person of the group has the same text.",
  "searches that repeat a released one": "They repeat a search that is released.",
  "searches of queries of too few users": "Too few people searched for it.",
  "searches that waited when the log ended": "The log ended before enough people searched in the topic.",
  "queries under their threshold": "Too few people searched for it, or noise put it under the bound.",
  "rows of rare queries or with a term of one user": "The query is rare, or only one person used one of its words.",
  "users without a topic": "No topic was found for their searches.",
  "users of groups with nothing to show, or too few for a group": "Too few people are like them.",
}

const identifier = "queries with an identifier: "
const threshold = " of released queries under their threshold"
const unit = /^(rows|queries|searches|users|words|clicks|transitions|groups|members) /

/** A reason of a receipt in plain words. It begins with what is counted. */
export function sayWithheld({ reason, rows: count }: { reason: string; rows: number }): Withheld {
  const counted = unit.exec(reason)?.[1] ?? ""
  if (reason.startsWith(identifier))
    return {
      count,
      unit: counted,
      why: `They hold something that identifies a person: ${reason.slice(identifier.length)}.`,
    }
  if (reason.endsWith(threshold))
    return { count, unit: counted, why: "Too few people made them, or noise put them under the bound." }
  const why = Object.hasOwn(meanings, reason) ? meanings[reason] : undefined
  return { count, unit: counted, why: why ?? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.` }
}
