import { compareDocuments, type IndexDocument } from "./slice-pages.ts"

/**
 * Merges slices into one sequence in order, in runs of documents. Each slice asks for its next page while the one
 * before is taken, so all slices are read at once.
 */
export async function* mergeSlices(
  slices: readonly AsyncGenerator<IndexDocument[]>[],
): AsyncGenerator<IndexDocument[]> {
  const lanes = slices.map((pages) => new Lane(pages))
  try {
    await Promise.all(lanes.map((lane) => lane.refill()))
    for (let run = mergeRun(lanes); run.length > 0; run = mergeRun(lanes)) {
      yield run
      await Promise.all(lanes.map((lane) => lane.refill()))
    }
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()))
  }
}

/** The next documents in order, up to the end of a page: only then is it unknown what follows in its slice. */
function mergeRun(lanes: readonly Lane[]): IndexDocument[] {
  const run: IndexDocument[] = []
  for (;;) {
    let first: Lane | undefined
    for (const lane of lanes) if (lane.comesBefore(first)) first = lane
    const document = first?.take()
    if (first === undefined || document === undefined) return run
    run.push(document)
    if (first.isEmpty) return run
  }
}

/** One slice: the page that is taken, and the next one on its way. */
class Lane {
  readonly #pages: AsyncGenerator<IndexDocument[]>
  #page: readonly IndexDocument[] = []
  #at = 0
  #next: Promise<IteratorResult<IndexDocument[]>> | undefined

  constructor(pages: AsyncGenerator<IndexDocument[]>) {
    this.#pages = pages
    this.#ask()
  }

  #ask(): void {
    const next = this.#pages.next()
    next.catch(() => {}) // awaited in `refill`; a failure must not count as unhandled until then
    this.#next = next
  }

  get isEmpty(): boolean {
    return this.#at >= this.#page.length
  }

  /** The next document; undefined at the end. */
  get first(): IndexDocument | undefined {
    return this.#page[this.#at]
  }

  comesBefore(other: Lane | undefined): boolean {
    const mine = this.first
    const theirs = other?.first
    return mine !== undefined && (theirs === undefined || compareDocuments(mine, theirs) < 0)
  }

  take(): IndexDocument | undefined {
    return this.#page[this.#at++]
  }

  /** Waits for the next page that has documents, if there is one. */
  async refill(): Promise<void> {
    while (this.isEmpty && this.#next !== undefined) {
      const { done, value } = await this.#next
      this.#next = undefined
      if (done) return
      this.#page = value
      this.#at = 0
      this.#ask()
    }
  }

  async close(): Promise<void> {
    await this.#next?.catch(() => {})
    await this.#pages.return(undefined)
  }
}
