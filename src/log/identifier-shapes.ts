import type { RunContext } from "../kernels/context.ts"
import { findIdentifiers } from "../text/identifiers/find-identifiers.ts"
import { allKinds, type IdentifierKind, kindBit, kindsIn } from "../text/identifiers/kinds.ts"
import { maskQuery } from "../text/mask-query.ts"
import type { SearchLog } from "./search-log.ts"

/** A shape of queries (`maskQuery`), and how many distinct queries and users have it. */
interface QueryShape {
  shape: string
  queries: number
  /** 0 in a log without users. */
  users: number
}

/** The most frequent shapes of the queries that contain an identifier of this kind. */
export interface KindShapes {
  kind: IdentifierKind
  shapes: QueryShape[]
  /** Distinct queries with any other shape. */
  otherQueries: number
}

/**
 * A shape that fewer users have is not shown, because an unusual shape could confirm a guess. In a log without users,
 * queries are counted instead.
 */
export const leastOfShape = 5
const mostShapes = 5

/** What queries with identifiers look like, for each kind that occurs. Contains no query text. */
export async function gatherShapes(log: SearchLog, context: RunContext): Promise<KindShapes[]> {
  const report: RunContext["report"] = (progress) => context.report({ ...progress, stage: "masking identifiers" })
  const found = await findIdentifiers(log.queries, allKinds, { ...context, report })
  const shapes = new Map<number, string>()
  const counted = new Map<IdentifierKind, Map<string, QueryShape & { last: number }>>()
  let hasUsers = false
  // The rows of one user are consecutive, so a change of user means a new user.
  for (let row = 0; row < log.rows; row++) {
    const [query, user] = [log.query[row], log.user[row]]
    if (user >= 0) hasUsers = true
    if (found[query] === 0) continue
    const isNew = !shapes.has(query)
    const shape = shapes.get(query) ?? maskQuery(log.queries.text(query))
    if (isNew) shapes.set(query, shape)
    for (const kind of kindsIn(found[query])) {
      const ofKind = counted.get(kind) ?? new Map<string, QueryShape & { last: number }>()
      counted.set(kind, ofKind)
      const part = ofKind.get(shape) ?? { shape, queries: 0, users: 0, last: -1 }
      ofKind.set(shape, part)
      if (isNew) part.queries++
      if (user >= 0 && part.last !== user) part.users++
      part.last = user
    }
  }
  return [...counted]
    .sort(([a], [b]) => kindBit(a) - kindBit(b))
    .map(([kind, ofKind]) => pickShapes(kind, [...ofKind.values()], { hasUsers }))
}

function pickShapes(kind: IdentifierKind, all: readonly QueryShape[], { hasUsers }: { hasUsers: boolean }): KindShapes {
  const shown = all
    .filter(({ queries, users }) => (hasUsers ? users : queries) >= leastOfShape)
    .sort((a, b) => b.queries - a.queries || (a.shape < b.shape ? -1 : 1))
    .slice(0, mostShapes)
    .map(({ shape, queries, users }) => ({ shape, queries, users }))
  const sum = (parts: readonly QueryShape[]) => parts.reduce((total, { queries }) => total + queries, 0)
  return { kind, shapes: shown, otherQueries: sum(all) - sum(shown) }
}
