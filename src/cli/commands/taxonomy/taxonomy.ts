import { Command } from "commander"
import { importCommand } from "./import.ts"
import { showCommand } from "./show.ts"
import { statsCommand } from "./stats.ts"

/** `taxonomy show | import | stats` */
export function taxonomyCommand(): Command {
  return new Command("taxonomy")
    .description("show or import the tree of topics that queries are sorted into")
    .addCommand(showCommand())
    .addCommand(importCommand())
    .addCommand(statsCommand())
}
