import type { Dictionary } from "../../kernels/dictionary.ts"
import type { ColumnTable } from "../../kernels/table.ts"

/** One column of keys: its name and texts. */
interface KeyColumn {
  name: string
  texts: Dictionary
  ids: Int32Array
}

/** Builds a table of keys and counts, sorted by the bytes of the keys. This order reveals nothing about the log. */
export function tableInKeyOrder(keys: readonly KeyColumn[], values: Float64Array): ColumnTable {
  const ranks = keys.map(rankTexts)
  const order = new Uint32Array(values.length)
  for (let row = 0; row < order.length; row++) order[row] = row
  order.sort((x, y) => {
    for (const rank of ranks) if (rank[x] !== rank[y]) return rank[x] - rank[y]
    return 0
  })
  return {
    rows: values.length,
    columns: [
      ...keys.map(({ name, texts, ids }) => ({ name, texts, ids: Int32Array.from(order, (row) => ids[row]) })),
      { name: "count", values: Float64Array.from(order, (row) => values[row]) },
    ],
  }
}

/** By row: the rank of its text among the texts of the column. */
function rankTexts({ texts, ids }: KeyColumn): Int32Array {
  const rankOf = new Int32Array(texts.size).fill(-1)
  let count = 0
  for (const id of ids) if (rankOf[id] < 0) rankOf[id] = count++
  const distinct = new Int32Array(count)
  for (const id of ids) distinct[rankOf[id]] = id
  distinct.sort((x, y) => Buffer.compare(texts.bytes(x), texts.bytes(y)))
  for (let place = 0; place < count; place++) rankOf[distinct[place]] = place
  return ids.map((id) => rankOf[id])
}
