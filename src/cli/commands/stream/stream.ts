import { Command } from "commander"
import { profilesCommand } from "./profiles.ts"
import { runCommand } from "./run.ts"

/** `stream run | profiles` */
export function streamCommand(): Command {
  return new Command("stream")
    .description("searches as they happen: swapped among users with similar ones, and released")
    .addCommand(runCommand())
    .addCommand(profilesCommand())
}
