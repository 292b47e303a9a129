import type { RunContext } from "../../kernels/context.ts"
import type { InputFile } from "../../log/inputs.ts"
import type { Repairs } from "./repairs.ts"
import { textBlocks } from "./text-blocks.ts"

/** The lines of a file, without line ends, numbered from 1. */
export async function* linesOf(
  input: InputFile,
  options: { repairs: Repairs | undefined },
  context: RunContext,
): AsyncGenerator<{ text: string; line: number }> {
  for await (const block of textBlocks(input, options, context)) {
    let { line } = block
    for (let from = 0; from < block.text.length; line++) {
      const found = block.text.indexOf("\n", from)
      const to = found < 0 ? block.text.length : found
      yield { text: block.text.slice(from, block.text[to - 1] === "\r" && to > from ? to - 1 : to), line }
      from = to + 1
    }
  }
}
