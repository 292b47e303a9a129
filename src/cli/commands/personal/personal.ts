import { Command } from "commander"
import { exposeCommand } from "./expose.ts"

/** `personal expose` */
export function personalCommand(): Command {
  return new Command("personal")
    .description("search with a profile that stays at home: only a generalised part of it goes with a query")
    .addCommand(exposeCommand())
}
