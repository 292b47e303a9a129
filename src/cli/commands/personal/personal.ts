import { Command } from "commander"
import { attackProfileCommand } from "./attack.ts"
import { engineCommand } from "./engine.ts"
import { exposeCommand } from "./expose.ts"
import { forgetCommand } from "./forget.ts"
import { learnCommand } from "./learn.ts"
import { mapCommand } from "./map.ts"
import { markCommand } from "./mark.ts"
import { serveCommand } from "./serve.ts"
import { verifyProfileCommand } from "./verify.ts"

/** `personal serve | engine | learn | map | mark | forget | verify | attack | expose` */
export function personalCommand(): Command {
  return new Command("personal")
    .description("search with a profile that stays on this machine")
    .addCommand(serveCommand())
    .addCommand(engineCommand())
    .addCommand(learnCommand())
    .addCommand(mapCommand())
    .addCommand(markCommand())
    .addCommand(forgetCommand())
    .addCommand(verifyProfileCommand())
    .addCommand(attackProfileCommand())
    .addCommand(exposeCommand())
}
