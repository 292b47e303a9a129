import { convertBlock } from "./convert-block.ts"
import { BlockParser } from "./parse-block.ts"
import type { ParsedBlock, TextBlock } from "./parsed-block.ts"

let parser: BlockParser | undefined

/** The rows of one block, with the line numbers of the file. */
export function readBlock(block: TextBlock): ParsedBlock {
  if (parser?.seed !== block.seed) parser = new BlockParser({ seed: block.seed })
  if (block.plan.conversion === undefined) return parser.parse(block)
  const { lineOf, lines, ...converted } = convertBlock(block, block.plan.conversion)
  const parsed = parser.parse({ ...block, ...converted })
  const original = (line: number) => lineOf[line - 1]
  return { ...parsed, lines, line: parsed.line.map(original), rejectLine: parsed.rejectLine.map(original) }
}
