import { Command } from "commander"
import { Type } from "#typebox"
import { type CommandNode, readCommandTree } from "../command-tree.ts"
import { bashScript } from "../completion/bash-script.ts"
import { fishScript } from "../completion/fish-script.ts"
import { zshScript } from "../completion/zsh-script.ts"
import { defineCommand } from "../define-command.ts"

const shells: Record<string, { write: (tree: CommandNode) => string; load: string }> = {
  bash: { write: bashScript, load: "source <(queryveil completion bash)" },
  zsh: { write: zshScript, load: "source <(queryveil completion zsh)" },
  fish: { write: fishScript, load: "queryveil completion fish | source" },
}

/** `completion bash | zsh | fish`: prints the script with which a shell completes commands, flags and values. */
export function completionCommand(buildProgram: () => Promise<Command>): Command {
  const group = new Command("completion").description("print the script that lets a shell complete commands and flags")
  for (const [name, { write, load }] of Object.entries(shells)) {
    const command = defineCommand({
      name,
      summary: `print the script for ${name}`,
      flags: Type.Object({}),
      help: `Load it in the shell's start file: ${load}`,
      async run(session) {
        await session.write(write(readCommandTree(await buildProgram())))
        return 0
      },
    })
    group.addCommand(command)
  }
  return group
}
