import { unescapeName } from "./path.ts"
import type { Taxonomy } from "./taxonomy.ts"

const plain = (name: string) => name.toLowerCase().replaceAll("_", " ").trim()

/**
 * Suggestions for a path that does not exist, likeliest first: paths with the same last name elsewhere or in another
 * spelling. If there are none, last names at most two letters away. More support comes first.
 */
export function nearPaths(taxonomy: Taxonomy, wrong: string, limit = 5): string[] {
  const wanted = plain(unescapeName(wrong.split("/").filter(Boolean).at(-1) ?? ""))
  const found: { id: number; distance: number }[] = []
  for (let id = 1; id < taxonomy.size; id++) {
    const distance = lettersApart(plain(taxonomy.name(id)), wanted)
    if (distance <= 2 && distance < Math.max(1, wanted.length / 2)) found.push({ id, distance })
  }
  found.sort((a, b) => a.distance - b.distance || taxonomy.support[b.id] - taxonomy.support[a.id])
  const nearest = found.filter(({ distance }) => distance === 0 || found[0].distance > 0)
  return nearest.slice(0, limit).map(({ id }) => taxonomy.path(id))
}

/** Levenshtein distance, or 3 if it is more than 2. */
function lettersApart(a: string, b: string): number {
  if (a === b) return 0
  if (Math.abs(a.length - b.length) > 2) return 3
  let above = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++)
      row[j] = Math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1))
    if (Math.min(...row) > 2) return 3
    above = row
  }
  return above[b.length]
}
