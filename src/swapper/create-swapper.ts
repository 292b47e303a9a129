import { createCellSwapper } from "./cell-swapper.ts"
import { createPaperSwapper } from "./paper-swapper.ts"
import type { RecordColumns, SwapMode, Swapper, SwapperOptions } from "./swapper.ts"

/** The swapper of a mode: whole cells (strict), or one record at a time (paper). */
export function createSwapper(columns: RecordColumns, options: SwapperOptions & { mode: SwapMode }): Swapper {
  return options.mode === "strict" ? createCellSwapper(columns, options) : createPaperSwapper(columns, options)
}
