import { mixWords } from "../kernels/random.ts"
import { model } from "./model.ts"
import { rowsPerUser } from "./options.ts"

/**
 * A part of a user's rows, generated in one go. Most users have one span; the busiest have several, one after another
 * in time.
 */
export interface Span {
  user: number
  part: number
  parts: number
  rows: number
}

/** Maximum rows of a span, so that memory does not grow with the busiest user. */
const longestSpan = 8192

/**
 * The number of rows of each user: log-normal, cut at `activityMost` times the median, at least one, and exactly `rows`
 * in total. The spread is AOL's up to AOL's rows per user and falls beyond that: a log with more rows per user has only
 * busy users. The weights are summed once beforehand. With E = rows − users rows to distribute and S(u) the sum of the
 * weights before u, user u gets 1 + ⌊E·S(u+1)/S⌋ − ⌊E·S(u)/S⌋ rows. Nothing is stored.
 */
export function* spreadRows({ rows, users, seed }: { rows: number; users: number; seed: number }): Generator<Span> {
  const spread = model.activitySpread * Math.min(1, (rowsPerUser * users) / rows) ** model.activityEvens
  let total = 0
  for (let user = 0; user < users; user++) total += weightOf(user, { seed, spread })
  const share = (rows - users) / total
  let before = 0
  let given = 0
  for (let user = 0; user < users; user++) {
    before += weightOf(user, { seed, spread })
    const until = user === users - 1 ? rows - users : Math.min(rows - users, Math.floor(share * before))
    const own = 1 + until - given
    given = until
    const parts = Math.ceil(own / longestSpan)
    for (let part = 0; part < parts; part++) {
      const from = Math.floor((own * part) / parts)
      yield { user, part, parts, rows: Math.floor((own * (part + 1)) / parts) - from }
    }
  }
}

/** A user's weight, by Box–Muller from two hashes. */
function weightOf(user: number, { seed, spread }: { seed: number; spread: number }): number {
  const bits = mixWords(seed ^ 0x77656967, user)
  const radius = Math.sqrt(-2 * Math.log((bits + 0.5) / 2 ** 32))
  const normal = radius * Math.cos((2 * Math.PI * mixWords(bits, user + 1)) / 2 ** 32)
  return Math.min(model.activityMost, Math.exp(spread * normal))
}
