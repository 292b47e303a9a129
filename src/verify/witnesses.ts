import type { SearchLog } from "../log/search-log.ts"
import type { RowsRelease } from "../release/read-release.ts"
import { countDistinctPairs } from "./pairs.ts"
import { fileRow } from "./release-checks.ts"
import type { Check } from "./verifier.ts"

/**
 * Checks what the release shows by itself: a text under fewer than k names, or in fewer than k rows if there are no
 * names, cannot have k users.
 */
export function checkWitnesses(
  release: RowsRelease,
  released: SearchLog,
  { k, text }: { k: number; text: "query" | "concept" },
): Check {
  const { users } = release.manifest.parameters
  const named = users !== "drop"
  const exact = users === "pseudonym" || users === "keep"
  const witness = named ? released.user : Int32Array.from(released.query, (_, row) => row)
  const counts = countDistinctPairs(released.query, witness, released.queries.size)
  const least = counts.reduce((min, count) => Math.min(min, count), Number.MAX_SAFE_INTEGER)
  const what = exact ? "users" : named ? "names" : "rows"
  const about = { name: "users-release", promise: `every released ${text} has k ${what} in the release` }
  const value = released.rows === 0 ? {} : { value: least }
  if (least >= k) return { ...about, state: "passed", ...value, bound: k }
  const row = released.query.findIndex((query) => counts[query] < k)
  return { ...about, state: "failed", row: fileRow(release, released, row), value: least, bound: k }
}

/**
 * Checks that every released text has k users in the original. `users` has the number of users of each released text.
 */
export function checkOriginalUsers(
  release: RowsRelease,
  released: SearchLog,
  { k, users, about }: { k: number; users: ArrayLike<number>; about: Pick<Check, "name" | "promise"> },
): Check {
  let least = Number.MAX_SAFE_INTEGER
  let worst = -1
  for (let text = 0; text < released.queries.size; text++) {
    if (users[text] >= least) continue
    least = users[text]
    worst = text
  }
  if (worst < 0) return { ...about, state: "passed", bound: k }
  if (least >= k) return { ...about, state: "passed", value: least, bound: k }
  const row = fileRow(release, released, released.query.indexOf(worst))
  return { ...about, state: "failed", row, value: least, bound: k }
}
