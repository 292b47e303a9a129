import type { SearchLog } from "../../log/search-log.ts"
import { type Change, countOf, type Explanation, moreUsers, notReleased, priceOfK, released } from "../explanation.ts"
import { usersOfQuery } from "../users-of-query.ts"

/** A query is released if and only if at least k users issued it. No chance is involved. */
export function explainEquality(log: SearchLog, query: number, { k }: { k: number }): Explanation {
  const { users } = usersOfQuery(log, query)
  const facts = { users, k }
  const issued = `${countOf(users, log.unit)} issued it`
  if (users >= k) {
    const price = "Nothing: the promise becomes stronger, and less is released."
    return {
      ...released,
      reasons: [`${issued}, and k = ${k} asks for at least ${k}.`],
      facts,
      changes: [{ ...notReleased, options: { k: users + 1 }, smallest: true, price }],
      tables: {},
    }
  }
  const changes: Change[] = [
    ...(users > 0 ? [{ ...released, options: { k: users }, smallest: true, price: priceOfK(users) }] : []),
    { ...released, options: {}, users: k - users, smallest: true, price: moreUsers },
  ]
  return { ...notReleased, reasons: [`${issued}, fewer than k = ${k}.`], facts, changes, tables: {} }
}
