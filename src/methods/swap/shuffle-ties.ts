import { type RandomSource, shuffle } from "../../kernels/random.ts"
import type { LogColumns } from "../../log/search-log.ts"

/**
 * Puts the searches that one name is shown with at one time in random order, and the rows of one text by rank, at random
 * where it is the same. A log's own order is that of its texts' first lines and then of its lines, which would tell, where
 * many searches have one time, whose texts stood side by side. Columns are sorted by (user, time, query, rank).
 */
export function shuffleTies({ user, time, query, rank, url, line }: LogColumns, random: RandomSource): void {
  const hasTies = (from: number, to: number) => {
    for (let i = from + 1; i < to; i++) if (query[i] !== query[i - 1] || rank[i] === rank[i - 1]) return true
    return false
  }
  for (let from = 0, to = 0; from < user.length; from = to) {
    to = from + 1
    while (to < user.length && user[to] === user[from] && time[to] === time[from]) to++
    if (!hasTies(from, to)) continue
    const drawn = Uint32Array.from({ length: to - from }, (_, i) => from + i)
    shuffle(drawn, random)
    const placeOf = new Map<number, number>() // of a text: that of its first row
    drawn.forEach((row, place) => {
      if (!placeOf.has(query[row])) placeOf.set(query[row], place)
    })
    const place = (row: number) => placeOf.get(query[row]) ?? 0
    const order = Array.from(drawn).sort((a, b) => place(a) - place(b) || rank[a] - rank[b]) // stable: else as drawn
    for (const column of [query, rank, url, line]) {
      const old = order.map((row) => column[row])
      column.set(old, from)
    }
  }
}
