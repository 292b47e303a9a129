import { randomBytes } from "node:crypto"
import type { RunContext } from "../../../kernels/context.ts"
import { nameNumbers } from "../../../kernels/numbered-names.ts"
import { sharedInt32, sharedUint16, sharedUint32, unknownRank } from "../../../log/search-log.ts"
import type { ArrangedRows } from "../../../release/arrange-rows.ts"
import { timeUnits } from "../../../release/arrange-rows.ts"
import { type ColumnPolicy, shownColumns } from "../../../release/column-policy.ts"
import type { FileFormat, RowsManifest } from "../../../release/manifest.ts"
import { writeRows } from "../../../release/writers/write-rows.ts"
import { TextIds } from "../read-table.ts"
import type { SparkValue } from "../read-values.ts"
import type { ColumnBatch } from "../session.ts"

/** Rows of a part, unless a caller says otherwise. */
const usualPartRows = 1 << 20

interface PartOptions {
  policy: ColumnPolicy
  to: FileFormat
  /** Most rows of a part (default 2²⁰). */
  partRows?: number
}

/**
 * Writes rows to parts of the data: `log-0.tsv`, `log-1.tsv` and so on. The rows come in the order in which they leave,
 * as `arrangeQuery` gives them. Names are drawn here, so that they are nowhere on the cluster.
 */
export async function writeRowParts(
  folder: string,
  batches: AsyncIterable<ColumnBatch>,
  { policy, to, partRows = usualPartRows }: PartOptions,
  context: RunContext,
): Promise<RowsManifest["files"]> {
  const key = keyFrom(context)
  const files: RowsManifest["files"] = []
  let part = new Part(policy)
  let names = -1 // the number of the last name
  const flush = async () => {
    const rows = part.arrange(key)
    files.push(await writeRows(folder, rows, { to, name: `log-${files.length}` }, context))
    part = new Part(policy)
  }
  for await (const { rows, names: columns, columns: values } of batches) {
    const at = (name: string) => values[columns.indexOf(name)]
    const [first, q, t, u, r, l, c] = ["first", "q", "t", "u", "r", "l", "c"].map(at)
    for (let row = 0; row < rows; row++) {
      if (first?.[row] === true || names < 0) names++
      part.add({ name: names, q: q?.[row], t: t?.[row], u: u?.[row], r: r?.[row], l: l?.[row], c: c?.[row] })
      if (part.rows === partRows) await flush()
    }
  }
  if (part.rows > 0 || files.length === 0) await flush()
  return files
}

/** A key for names. A seeded context, as in tests, draws the same key again. */
function keyFrom({ random }: RunContext): Uint8Array {
  if (!random.seeded) return randomBytes(32)
  const words = new Uint32Array(8)
  random.fill(words)
  return new Uint8Array(words.buffer)
}

type Cell = SparkValue | undefined

interface PartRow {
  name: number
  q: Cell
  t: Cell
  u: Cell
  r: Cell
  l: Cell
  c: Cell
}

/** The rows of a part, until it is written. */
class Part {
  readonly #policy: ColumnPolicy
  readonly #columns: Record<"user" | "query" | "time" | "rank" | "url" | "category" | "group", number[]>
  readonly #texts = { users: new TextIds(), queries: new TextIds(), urls: new TextIds(), categories: new TextIds() }
  readonly #names: number[] = []

  constructor(policy: ColumnPolicy) {
    this.#policy = policy
    this.#columns = { user: [], query: [], time: [], rank: [], url: [], category: [], group: [] }
  }

  get rows(): number {
    return this.#columns.query.length
  }

  add({ name, q, t, u, r, l, c }: PartRow): void {
    const { user, query, time, rank, url, category, group } = this.#columns
    const { users, queries, urls, categories } = this.#texts
    if (this.#names.at(-1) !== name) this.#names.push(name)
    group.push(this.#names.length - 1)
    user.push(typeof u === "string" ? users.idOf(u) : -1)
    query.push(queries.idOf(String(q ?? "")))
    time.push(typeof t === "number" ? t : 0)
    rank.push(typeof r === "number" ? r : unknownRank)
    url.push(typeof l === "string" ? urls.idOf(l) : -1)
    category.push(typeof c === "string" ? categories.idOf(c) : -1)
  }

  arrange(key: Uint8Array): ArrangedRows {
    const policy = this.#policy
    const { users, queries, urls, categories } = this.#texts
    const { user, query, time, rank, url, category, group } = this.#columns
    const int32 = (values: readonly number[]) => filled(sharedInt32(values.length), values)
    const uint32 = (values: readonly number[]) => filled(sharedUint32(values.length), values)
    const dictionary = urls.freeze()
    const isNamed = policy.users !== "drop" && policy.users !== "keep"
    return {
      log: {
        user: int32(user),
        query: int32(query),
        time: int32(time),
        rank: filled(sharedUint16(rank.length), rank),
        url: int32(url),
        ...(policy.category && { category: int32(category) }),
      },
      users: users.freeze().parts(),
      queries: queries.freeze().parts(),
      urls: dictionary.parts(),
      ...(policy.category && { categories: categories.freeze().parts() }),
      columns: shownColumns(policy),
      order: uint32(Array.from(query.keys())),
      group: uint32(group),
      names: isNamed ? nameNumbers(key, Float64Array.from(this.#names)) : undefined,
      urlShown: new Uint8Array(new SharedArrayBuffer(dictionary.size)).fill(1),
      timeUnit: timeUnits[policy.time],
    }
  }
}

function filled<A extends Int32Array | Uint32Array | Uint16Array>(column: A, values: readonly number[]): A {
  column.set(values)
  return column
}
