import { Command } from "commander"
import { profilesCommand } from "./profiles.ts"
import { runCommand } from "./run.ts"
import { sealCommand } from "./seal.ts"
import { searchesCommand } from "./searches.ts"
import { changeCommand } from "./workers/change.ts"
import { classifyWorkerCommand } from "./workers/classify.ts"
import { swapWorkerCommand } from "./workers/swap.ts"
import { topicsCommand } from "./workers/topics.ts"
import { watchCommand } from "./workers/watch.ts"

/** `stream run | seal | searches | profiles`, and for a group of workers `topics | classify | swap | change | watch` */
export function streamCommand(): Command {
  return new Command("stream")
    .description("swap users among searches as they happen, and release them")
    .enablePositionalOptions() // profiles follow has flags of its own, apart from those of profiles
    .addCommand(runCommand())
    .addCommand(sealCommand())
    .addCommand(searchesCommand())
    .addCommand(profilesCommand())
    .addCommand(topicsCommand())
    .addCommand(classifyWorkerCommand())
    .addCommand(swapWorkerCommand())
    .addCommand(changeCommand())
    .addCommand(watchCommand())
}
