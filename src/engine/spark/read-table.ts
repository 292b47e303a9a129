import { hashBytes, Interner } from "../../kernels/dictionary.ts"
import type { Table } from "../../kernels/table.ts"
import type { SparkSession, StatementOptions } from "./session.ts"

/** The rows of a query as a table on this machine. Texts are kept once, and NULL is blank. */
export async function readTable(session: SparkSession, sql: string, options: StatementOptions): Promise<Table> {
  const texts = new TextIds()
  const columns: { name: string; ids: number[]; numbers: number[] }[] = []
  let rows = 0
  for await (const batch of session.query(sql, options)) {
    rows += batch.rows
    batch.names.forEach((name, at) => {
      columns[at] ??= { name, ids: [], numbers: [] }
      const { ids, numbers } = columns[at]
      for (const value of batch.columns[at] ?? []) {
        if (typeof value === "number") numbers.push(value)
        else ids.push(texts.idOf(String(value ?? "")))
      }
    })
  }
  const dictionary = texts.freeze()
  return {
    columns: columns.map(({ name }) => name),
    rows,
    cell: (row, place) => {
      const column = columns[place]
      return column?.numbers[row] ?? dictionary.text(column?.ids[row] ?? 0)
    },
  }
}

/** Gives each distinct text a number. */
export class TextIds {
  readonly #interner = new Interner()

  idOf(text: string): number {
    const bytes = Buffer.from(text)
    return this.#interner.intern(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length, this.#interner.seed))
  }

  freeze() {
    return this.#interner.freeze()
  }
}
