import { marker, type Search, timeAfter } from "./aol-log.ts"

/**
 * Eight visitors of a zoo. Five search for dogs, three for cats, one for a poodle and one for a lion. Six write
 * something in which WordNet finds no noun, each something different. All come back after two hours to look at the
 * weather. Three click on one page, one on a page of its own.
 */
export function zooLog(): Search[] {
  return Array.from({ length: 8 }, (_, visitor): Search[] => {
    const search = (query: string, seconds: number, click: Pick<Search, "rank" | "url"> = {}): Search => {
      return { user: `${marker}-user-${visitor}`, query, time: timeAfter(visitor * 60 + seconds), ...click }
    }
    const page = { rank: 1, url: visitor < 3 ? "http://dogs.example" : `http://${marker}.example` }
    return [
      ...(visitor < 5 ? [search(`${marker} Dogs`, 0, visitor < 4 ? page : {})] : []),
      ...(visitor === 5 ? [search("toy poodle", 0), search("poodle", 300)] : []),
      ...(visitor > 4 ? [search("my cats", 60)] : []),
      ...(visitor === 0 ? [search(`lion ${marker}`, 120)] : []),
      ...(visitor < 6 ? [search(`${marker}${"abcdef"[visitor]}`, 180)] : []),
      search("the weather", 7200),
    ]
  }).flat()
}
