import { Command } from "commander"
import { refuseCommand, signCommand } from "./decide.ts"
import { handOutCommand } from "./hand-out.ts"
import { registerCommand } from "./register.ts"

/** `studio register | sign | refuse | hand-out` */
export function studioCommand(): Command {
  return new Command("studio")
    .description("keep the releases of a log in a project: register, sign and hand out")
    .addCommand(registerCommand())
    .addCommand(signCommand())
    .addCommand(refuseCommand())
    .addCommand(handOutCommand())
}
