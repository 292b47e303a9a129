import type { CommandNode, ValueKind } from "../command-tree.ts"
import { casePattern, listCommands, quoteWord, valueBranches } from "./list-commands.ts"

/** Completion for bash 3.2 and later. The script contains every command and starts no program. */
export function bashScript(tree: CommandNode): string {
  const listed = listCommands(tree)
  const below = listed.map(({ at }) => at).filter((at) => at !== "")
  const values = valueBranches(listed, actOn).map(
    ([pattern, action]) => `    ${pattern})\n      ${action}\n      return ;;`,
  )
  const commands = listed.map(({ at, node }) => {
    const flags = node.flags.flatMap(({ names }) => names).join(" ")
    const commands = node.commands.map(({ name }) => name).join(" ")
    return `    ${quoteWord(at)}) flags=${quoteWord(flags)} commands=${quoteWord(commands)} ;;`
  })
  return `# Completion of queryveil for bash. Load it with: source <(queryveil completion bash)
_queryveil_paths() {
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$@")
}
_queryveil() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at= word i flags commands
  COMPREPLY=()
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$at $word" in
    ${casePattern(below)}) at="$at $word" ;;
    esac
  done
  case "$at $prev" in
${values.join("\n")}
  esac
  case "$at" in
${commands.join("\n")}
  esac
  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$cur")); return; fi
  COMPREPLY=($(compgen -W "$commands" -- "$cur"))
  if [[ -z $commands || \${#COMPREPLY[@]} -eq 0 ]]; then _queryveil_paths -f -- "$cur"; fi
}
complete -F _queryveil queryveil
`
}

function actOn({ words, path }: ValueKind): string {
  const acts = [
    ...(words.length > 0 ? [`COMPREPLY=($(compgen -W ${quoteWord(words.join(" "))} -- "$cur"))`] : []),
    ...(path === undefined ? [] : [`_queryveil_paths ${path === "file" ? "-f" : "-d"} -- "$cur"`]),
  ]
  return acts.length === 0 ? ":" : acts.join("; ")
}
