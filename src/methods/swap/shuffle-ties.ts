import { type RandomSource, shuffle } from "../../kernels/random.ts"
import type { LogColumns } from "../../log/search-log.ts"

/**
 * Shuffles the searches that are shown with one name at one time. Rows of one text stay together, ordered by rank;
 * equal ranks are shuffled. The log orders them by the first line of their texts, then by line. If many searches have
 * the same time, that order would reveal which texts were next to each other in the log. Columns are sorted by (user,
 * time, query, rank).
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
    const placeOf = new Map<number, number>() // by text: the position of its first row
    drawn.forEach((row, place) => {
      if (!placeOf.has(query[row])) placeOf.set(query[row], place)
    })
    const place = (row: number) => placeOf.get(query[row]) ?? 0
    // stable: equal ranks stay shuffled
    const order = Array.from(drawn).sort((a, b) => place(a) - place(b) || rank[a] - rank[b])
    for (const column of [query, rank, url, line]) {
      const old = order.map((row) => column[row])
      column.set(old, from)
    }
  }
}
