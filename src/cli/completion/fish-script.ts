import type { CommandNode, FlagNode } from "../command-tree.ts"
import { listCommands } from "./list-commands.ts"

/** Completion for fish 3, with descriptions. The script contains every command and starts no program. */
export function fishScript(tree: CommandNode): string {
  const listed = listCommands(tree)
  const below = listed.map(({ at }) => at).filter((at) => at !== "")
  const lines = listed.flatMap(({ at, node }) => {
    const here = `complete -c queryveil -n ${quoteFish(`__queryveil_at ${quoteFish(at)}`)}`
    return [
      ...node.commands.map(({ name, description }) => `${here} -f -a ${quoteFish(name)} -d ${quoteFish(description)}`),
      ...node.flags.map((flag) => `${here} ${flagWords(flag).join(" ")}`),
    ]
  })
  return `# Completion of queryveil for fish. Load it with: queryveil completion fish | source
set -g __queryveil_commands ${below.map(quoteFish).join(" ")}
function __queryveil_at
    set -l at ''
    set -l tokens (commandline -opc)
    set -e tokens[1]
    for token in $tokens
        if contains -- "$at $token" $__queryveil_commands
            set at "$at $token"
        end
    end
    test "$at" = "$argv[1]"
end
${lines.join("\n")}
`
}

function flagWords({ names, description, value }: FlagNode): string[] {
  const named = names.flatMap((name) => (name.startsWith("--") ? ["-l", name.slice(2)] : ["-s", name.slice(1)]))
  const words = value === undefined || value.words.length === 0 ? [] : ["-a", quoteFish(value.words.join(" "))]
  const folders = value?.path === "folder" ? ["-a", quoteFish("(__fish_complete_directories)")] : []
  // -r: a value follows; -x: a value follows that is not a file.
  const takes = value === undefined ? [] : [value.path === "file" ? "-r" : "-x"]
  return [...named, ...takes, ...words, ...folders, "-d", quoteFish(description)]
}

/** Within single quotes, fish escapes only a backslash and a quote. */
const quoteFish = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
