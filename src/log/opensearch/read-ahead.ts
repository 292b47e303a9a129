import type { IndexFigures } from "./point-in-time.ts"
import type { IndexDocument } from "./sequence-pages.ts"

/**
 * Cuts the sequence numbers of the documents to read into slices with about a page of documents each, if they are
 * spread evenly. Where they are not, a slice has several pages, or none.
 */
export function* cutSlices(
  { documents, sequence }: Pick<IndexFigures, "documents" | "sequence">,
  pageSize: number,
): Generator<readonly [from: number, to: number]> {
  if (documents === 0) return
  const { first, last } = sequence
  const density = documents / (last - first + 1)
  const width = Math.max(1, Math.floor((0.9 * pageSize) / density))
  for (let from = first; from <= last; from += width) yield [from, Math.min(last + 1, from + width)]
}

/** Delivers the pages of all slices in order. The next slices are asked for their first pages meanwhile. */
export async function* readAhead(
  slices: Iterator<AsyncGenerator<IndexDocument[]>>,
  atOnce: number,
): AsyncGenerator<IndexDocument[]> {
  const lanes: Lane[] = []
  const fill = () => {
    while (lanes.length < atOnce) {
      const next = slices.next()
      if (next.done) return
      lanes.push(new Lane(next.value))
    }
  }
  try {
    for (fill(); lanes[0] !== undefined; fill()) {
      const page = await lanes[0].take()
      if (page === undefined) lanes.shift()
      else yield page
    }
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()))
  }
}

/** One slice, whose next page is always on its way. */
class Lane {
  readonly #pages: AsyncGenerator<IndexDocument[]>
  #next: Promise<IteratorResult<IndexDocument[]>>

  constructor(pages: AsyncGenerator<IndexDocument[]>) {
    this.#pages = pages
    this.#next = this.#ask()
  }

  #ask(): Promise<IteratorResult<IndexDocument[]>> {
    const next = this.#pages.next()
    next.catch(() => {}) // awaited in `take`; a failure must not count as unhandled until then
    return next
  }

  /** The next page; undefined at the end. */
  async take(): Promise<IndexDocument[] | undefined> {
    const { done, value } = await this.#next
    if (done) return undefined
    this.#next = this.#ask()
    return value
  }

  async close(): Promise<void> {
    await this.#next.catch(() => {})
    await this.#pages.return(undefined)
  }
}
