import { Command } from "commander"
import { profilesCommand } from "./profiles.ts"
import { runCommand } from "./run.ts"
import { sealCommand } from "./seal.ts"
import { searchesCommand } from "./searches.ts"

/** `stream run | seal | searches | profiles` */
export function streamCommand(): Command {
  return new Command("stream")
    .description("swap users among searches as they happen, and release them")
    .addCommand(runCommand())
    .addCommand(sealCommand())
    .addCommand(searchesCommand())
    .addCommand(profilesCommand())
}
