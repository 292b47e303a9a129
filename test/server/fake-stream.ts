import { convertBlock } from "#dist/log/formats/convert-block.js"
import { BlockParser } from "#dist/log/formats/parse-block.js"
import { rejectReasons } from "#dist/log/formats/parsed-block.js"
import { AnsweredRequests } from "#dist/stream/live/answered-requests.js"
import type { LiveStream, Offer, StreamChange } from "#dist/stream/live/live-stream.js"
import type { InputLag, StreamFigures } from "#dist/stream/live/stream-figures.js"
import type { BatchReceipt, InputBatch, InputPosition, RequestReceipt } from "#dist/stream/live/transport.js"

/** A stream that only reads what it is offered, withholds queries with the word `withhold`, and can be blocked. */
export class FakeStream implements LiveStream {
  readonly store = "0123456789abcdef"
  readonly lags: InputLag[] = []
  readonly batches: InputBatch[] = []
  /** `user query` of every record that was read. */
  readonly records: string[] = []
  readonly rejected: string[] = []
  readonly changes: StreamChange[] = []
  readonly resumed: LiveStream["resumed"]
  state: StreamFigures["state"] = "running"
  checkpoint = { age: 0, isStalled: false }
  readonly requests = new AnsweredRequests(Buffer.alloc(32))
  #held: Promise<void> = Promise.resolve()
  #release = () => {}
  #withdraw = () => {}
  /** True if the last batch can be withdrawn. */
  mayWithdraw = false
  #awaited: { count: number; resolve(): void }[] = []
  readonly #left: InputPosition | string
  readonly #parser = new BlockParser({ seed: 1 })

  /** `left`: the position that an earlier run left. As text, that of a store of version 0.1. */
  constructor(left: InputPosition | string = "") {
    const { input, at } = typeof left === "string" ? { input: "", at: left } : left
    this.resumed = { positions: at === "" ? {} : { [input]: at }, waiting: 0, repeated: 0, cut: 0 }
    this.#left = left
  }

  get position(): InputPosition | string {
    return this.batches.at(-1)?.position ?? this.#left
  }

  /** From now on there is no room. */
  hold(): void {
    this.#held = new Promise((resolve) => {
      this.#release = resolve
    })
  }

  release(): void {
    this.#release()
  }

  /** Resolves when this many records were read. */
  async until(count: number): Promise<void> {
    if (this.records.length >= count) return
    await new Promise<void>((resolve) => this.#awaited.push({ count, resolve }))
  }

  offer(batch: InputBatch): Offer {
    if (batch.bytes.length <= batch.length) throw new Error("no room for a closing line feed")
    this.batches.push(batch)
    const receipt = this.#read(batch)
    for (const { count, resolve } of this.#awaited) if (this.records.length >= count) resolve()
    const withdrawn = new Promise<never>((_resolve, reject) => {
      this.#withdraw = () => reject(new Error("withdrawn"))
    })
    const withdraw = () => {
      if (this.mayWithdraw) this.#withdraw()
      return this.mayWithdraw
    }
    return { room: this.#held, receipt: Promise.race([this.#held.then(() => receipt), withdrawn]), withdraw }
  }

  #read(batch: InputBatch): BatchReceipt {
    const { bytes, length, plan } = batch
    const { lineOf, ...block } =
      plan.conversion === undefined ? { lineOf: undefined, bytes, length } : convertBlock(batch, plan.conversion)
    const rows = this.#parser.parse({ ...batch, ...block, seed: 1 })
    const lineOfRow = (line: number) => lineOf?.[line - 1] ?? line
    const parts: RequestReceipt[] = Array.from(batch.parts ?? [], () => ({
      taken: 0,
      withheld: 0,
      rejected: [],
      rejectedTotal: 0,
    }))
    for (let row = 0; row < rows.line.length; row++) {
      const text = (texts: typeof rows.users, id: number) =>
        Buffer.from(texts.arena.subarray(texts.offsets[id], texts.offsets[id + 1])).toString()
      const query = rows.query[row] < 0 ? "" : text(rows.queries, rows.query[row])
      this.records.push(`${rows.user[row] < 0 ? "" : text(rows.users, rows.user[row])} ${query}`)
      const part = parts[(batch.parts ?? []).findIndex((end) => lineOfRow(rows.line[row]) <= end)]
      if (part !== undefined) part[query.includes("withhold") ? "withheld" : "taken"]++
    }
    const withheld = parts.reduce((sum, part) => sum + part.withheld, 0)
    const rejected = [...rows.rejectLine].map((line, i) => ({
      line: lineOfRow(line),
      reason: rejectReasons[rows.rejectReason[i]],
    }))
    this.rejected.push(...rejected.map(({ reason }) => reason))
    const ends = [...(batch.parts ?? [])]
    for (const { line, reason } of rejected) {
      const i = ends.findIndex((end) => line <= end)
      const part = parts[i]
      if (part === undefined) continue
      if (part.rejectedTotal++ < 100) part.rejected.push({ line: line - (ends[i - 1] ?? 0), reason })
    }
    for (const [i, identity] of (batch.requests ?? []).entries()) {
      const answer = parts[i]
      if (identity !== undefined && answer !== undefined) this.requests.add({ ...identity, at: Date.now(), answer })
    }
    return { taken: rows.line.length - withheld, withheld, rejected, parts }
  }

  async configure(change: StreamChange): Promise<void> {
    this.changes.push(change)
  }

  noteLag(lag: InputLag): void {
    this.lags.push(lag)
  }

  figures(): StreamFigures {
    const none = { p50: 0, p99: 0 }
    return {
      state: this.state,
      now: 0,
      startedAt: 0,
      k: 10,
      depth: 6,
      mode: "strict",
      users: "cell",
      promised: true,
      reasons: [],
      lines: 0,
      taken: this.records.length,
      released: 0,
      waiting: 0,
      cells: 0,
      rejected: {},
      withheld: {},
      late: { records: 0, seconds: 0 },
      inputs: this.lags,
      categories: 0,
      largest: [],
      delay: { records: none, seconds: none },
      delayOfRun: { records: { mean: 0, p50: 0, p99: 0 }, seconds: { mean: 0, p50: 0, p99: 0 } },
      commit: none,
      memory: { rss: 0, heap: 0 },
      journalBytes: 0,
      checkpoint: this.checkpoint,
      risk: undefined,
    }
  }

  async drain(): Promise<void> {}
  async close(): Promise<void> {}
}
