import type { CommandNode, FlagNode, ValueKind } from "../command-tree.ts"
import { casePattern, listCommands, quoteWord, valueBranches } from "./list-commands.ts"

/** Completion for zsh, with descriptions. The script contains every command and starts no program. */
export function zshScript(tree: CommandNode): string {
  const listed = listCommands(tree)
  const below = listed.map(({ at }) => at).filter((at) => at !== "")
  const values = valueBranches(listed, actOn).map(
    ([pattern, action]) => `    ${pattern})\n      ${action}\n      return ;;`,
  )
  const commands = listed.map(({ at, node }) => {
    const flags = node.flags.flatMap(describeFlag).map(quoteWord)
    const names = node.commands.map(({ name, description }) => quoteWord(describeWord(name, description)))
    return `    ${quoteWord(at)})\n      flags=(${flags.join(" ")})\n      commands=(${names.join(" ")}) ;;`
  })
  return `#compdef queryveil
# Completion of queryveil for zsh. Load it with: source <(queryveil completion zsh)
# or save it as _queryveil in a folder of $fpath.
_queryveil() {
  local cur=\${words[CURRENT]} prev=\${words[CURRENT-1]} at='' word
  local -a flags commands
  for word in "\${(@)words[2,CURRENT-1]}"; do
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
  if [[ $cur == -* ]]; then
    _describe -o 'option' flags
  elif (( \${#commands} )); then
    _describe 'command' commands || _files
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _queryveil ]]; then _queryveil "$@"; else compdef _queryveil queryveil; fi
`
}

const describeFlag = ({ names, description }: FlagNode) => names.map((name) => describeWord(name, description))

/** `name:description`, as `_describe` takes it. A colon in the name is escaped, because it would end the name. */
const describeWord = (name: string, description: string) => `${name.replaceAll(":", "\\:")}:${description}`

function actOn({ words, path }: ValueKind): string {
  const acts = [
    ...(words.length > 0 ? [`compadd -- ${words.map(quoteWord).join(" ")}`] : []),
    ...(path === undefined ? [] : [path === "file" ? "_files" : "_files -/"]),
  ]
  return acts.length === 0 ? ":" : acts.join("; ")
}
