import { Command } from "commander"
import { profilesCommand } from "./profiles.ts"
import { runCommand } from "./run.ts"
import { sealCommand } from "./seal.ts"
import { searchesCommand } from "./searches.ts"

/** `stream run | seal | searches | profiles` */
export function streamCommand(): Command {
  return new Command("stream")
    .description("searches as they happen: swapped among users with similar ones, and released")
    .addCommand(runCommand())
    .addCommand(sealCommand())
    .addCommand(searchesCommand())
    .addCommand(profilesCommand())
}
