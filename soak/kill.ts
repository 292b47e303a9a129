import { setTimeout as wait } from "node:timers/promises"
import type { Life } from "./life.ts"
import type { Random } from "./random.ts"

/** Milliseconds after which a life without progress is killed anyway. */
const patience = 15_000

/**
 * Kills a life while it starts, while it works, around the time when a checkpoint is due, or while it stops. True if it
 * was killed; it may have ended before.
 */
export async function killSomeWhen(
  life: Life,
  { random, startup, progress }: { random: Random; startup: number; progress: () => number },
): Promise<boolean> {
  const moment = random.below(100)
  if (moment < 15) await pause(life, random.below(startup))
  else {
    const before = progress()
    const until = Date.now() + patience
    while (progress() <= before && Date.now() < until && !life.isOver()) await wait(2)
    if (moment < 55) await pause(life, random.below(120))
    else if (moment < 80) await pause(life, 850 + random.below(500))
    else {
      await pause(life, random.below(300))
      life.child.kill("SIGTERM")
      await pause(life, random.below(100))
    }
  }
  return life.child.kill("SIGKILL") && (await life.ended).code === null
}

const pause = (life: Life, milliseconds: number) => Promise.race([wait(milliseconds), life.ended])
