import type { RunContext } from "../../../src/kernels/context.ts"
import { drawPseudonyms } from "../../../src/kernels/pseudonyms.ts"
import type { SearchLog } from "../../../src/log/search-log.ts"
import { orderArrivals } from "../../../src/methods/swap/order-arrivals.ts"
import { refusals, swapArrivals } from "../../../src/methods/swap/swap-log.ts"
import { nameText } from "../log/show-names.ts"

/** A search in the order of arrival, and what becomes of it. */
export interface SwappedSearch {
  user: number
  query: string
  time: number
  topic: number
  /** Why it is withheld at once, or "" if it may leave. */
  refused: string
  /** Its cell; undefined if it never leaves. */
  cell?: number
  /** The user under whose name it leaves. */
  as?: number
  /** The random name that a reader sees. It stands for that user in this cell, and for nobody anywhere else. */
  name?: string
  /** The arrival that closes its cell. */
  closing?: number
}

/** A log after the swap: searches in the order of arrival, and which of them left, in the order in which they left. */
export interface SwapRun {
  k: number
  searches: SwappedSearch[]
  sequence: number[]
}

/** The defaults of `queryveil anonymize swap`, for a log that has topics. */
const settings = { mode: "strict", backlog: 2, minQueryUsers: 1, repeats: "keep", cellTexts: "distinct" } as const

/** Deals the cells of a log that gives the topics of its searches, with the randomness of the context. */
export async function runSwap(log: SearchLog, { k }: { k: number }, context: RunContext): Promise<SwapRun> {
  const seeds = { high: context.random.uint32() | 0, low: context.random.uint32() | 0 }
  const arrivals = orderArrivals(log, topicsOf(log), { seeds })
  const swapped = await swapArrivals(arrivals, arrivals.topic, { ...settings, k }, context)
  const names = drawPseudonyms(arrivals.row.length, context.random)
  const nameOf = new Map<string, string>()
  const nameIn = (user: number, cell: number) => {
    const key = `${user} ${cell}`
    const name = nameOf.get(key) ?? nameText(names, nameOf.size)
    nameOf.set(key, name)
    return name
  }
  const searches = Array.from(arrivals.row, (row, i): SwappedSearch => {
    const search = {
      user: arrivals.user[i],
      query: log.queries.text(arrivals.text[i]),
      time: log.time[row],
      topic: arrivals.topic[i],
      refused: refusals[swapped.refused[i]] ?? "",
    }
    if (swapped.as[i] < 0) return search
    const [as, cell] = [arrivals.user[swapped.as[i]], swapped.cell[i]]
    return { ...search, as, cell, name: nameIn(as, cell), closing: swapped.closing[i] }
  })
  return { k, searches, sequence: [...swapped.sequence] }
}

/** By query: its topic in the log. */
function topicsOf(log: SearchLog): Int32Array {
  const topics = new Int32Array(log.queries.size).fill(-1)
  for (let row = 0; row < log.rows; row++) topics[log.query[row]] = log.category?.[row] ?? -1
  return topics
}

/** A search that left, in the order in which they left. */
export interface LeftSearch extends SwappedSearch {
  cell: number
  as: number
  name: string
  closing: number
}

const hasLeft = (search: SwappedSearch, arrived: number): search is LeftSearch =>
  search.closing !== undefined && search.closing < arrived

/** The state after so many arrivals. The swap never looks ahead, so this is what it was then. */
export function stateAfter({ searches, sequence }: SwapRun, arrived: number) {
  const left = sequence.map((i) => searches[i]).filter((search) => hasLeft(search, arrived))
  const waiting = searches.slice(0, arrived).filter((search) => search.refused === "" && !hasLeft(search, arrived))
  const refused = searches.slice(0, arrived).filter((search) => search.refused !== "")
  return { left, waiting, refused }
}
