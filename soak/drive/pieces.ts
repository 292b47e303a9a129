import { setTimeout as wait } from "node:timers/promises"
import type { Life } from "../life.ts"
import { linesOf } from "../searches.ts"
import type { World } from "./driver.ts"

/** Writes lines to a pipe or a connection until the life is over, cut at any byte, but complete at the end. */
export async function feedPieces(
  { random, makeSearch }: World,
  { life, signal, write }: { life: Life; signal: AbortSignal; write(text: string): Promise<unknown> },
): Promise<void> {
  let half = ""
  while (!signal.aborted && !life.isOver()) {
    const text = half + linesOf(Array.from({ length: 1 + random.below(40) }, makeSearch))
    const cut = random.chance(0.3) ? random.below(text.length) : text.length
    half = text.slice(cut)
    await write(text.slice(0, cut))
    await wait(random.below(10))
  }
  if (!life.isOver()) await write(half)
}
