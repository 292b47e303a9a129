import { createContext } from "#dist/kernels/context.js"
import { parseTable } from "#dist/release/read-tables.js"
import { ensure, type FuzzTarget } from "../target.ts"

const columns = [
  { name: "query", type: "text" as const },
  { name: "users", type: "number" as const },
]

/** Tables of counts in a release. */
export const target: FuzzTarget = {
  covers: ["release/read-tables"],
  words: ["\t", "\n", "-5", "999999999999999", "1e3", "\r\n"],
  seeds: () => ["query\tusers\nred hat\t5\nlamp\t-3\n", "query\tusers\n"],
  check: async (input) => {
    async function* blocks() {
      const bytes = new Uint8Array(input.length + 1)
      bytes.set(input)
      yield { bytes, length: input.length }
    }
    const table = await parseTable(blocks(), { path: "table", columns, skip: 1 }, createContext({ workers: 1 }))
    const [texts, numbers] = table.columns
    ensure("ids" in texts && texts.ids.length === table.rows, "every row has a text")
    ensure("values" in numbers && numbers.values.length === table.rows, "every row has a number")
    ensure(numbers.values.every(Number.isSafeInteger), "numbers are whole")
  },
}
