import type { RunContext } from "../../kernels/context.ts"
import type { InputFile } from "../../log/inputs.ts"
import { brokenAt, quoted } from "./file-position.ts"
import { linesOf } from "./lines.ts"
import type { Repairs } from "./repairs.ts"
import { maxSupport, type TopicTable } from "./topic-table.ts"

export const tsvHeader = "path\tsupport\ttext"
const number = /^\d+(\.\d+)?(e[+-]?\d+)?$/i

/**
 * Reads lines of path, support and text, separated by tabs. A header and blank lines are allowed. The support is the
 * topic's own; empty means none. A line with an empty path is about the root.
 */
export async function loadTsv(
  input: InputFile,
  { table, repairs }: { table: TopicTable; repairs: Repairs | undefined },
  context: RunContext,
): Promise<void> {
  for await (const { text, line } of linesOf(input, { repairs }, context)) {
    if (text === "" || (line === 1 && text === tsvHeader)) continue
    const place = { file: input.path, line }
    const fields = text.split("\t")
    if (fields.length !== 3)
      throw brokenAt(place, `${fields.length} columns. Expected 3, separated by tabs: path, support, text.`)
    const [path, support, words] = fields
    const value = support === "" ? 0 : number.test(support) ? Number(support) : Number.NaN
    if (!(value <= maxSupport))
      throw brokenAt(place, `the support ${quoted(support)} is not a number from 0 to ${maxSupport}.`)
    const topic = table.define(path, place)
    table.addSupport(topic, value)
    table.addText(topic, words)
  }
}
