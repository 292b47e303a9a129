import type { CommandNode, FlagNode, ValueKind } from "../command-tree.ts"

/**
 * A command as the scripts know it: by the words that lead to it, each after a space (` anonymize equality`). The
 * program itself is the empty text.
 */
export interface ListedCommand {
  at: string
  node: CommandNode
}

/** The program and every command below it. */
export function listCommands(node: CommandNode, at = ""): ListedCommand[] {
  return [{ at, node }, ...node.commands.flatMap((child) => listCommands(child, `${at} ${child.name}`))]
}

/** The flags of a command that take a value. */
function valueFlags({ flags }: CommandNode): (FlagNode & { value: ValueKind })[] {
  return flags.flatMap((flag) => (flag.value === undefined ? [] : [{ ...flag, value: flag.value }]))
}

/** Quotes a word for a shell, in single quotes. */
export const quoteWord = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** A pattern for `case` that matches any of these words. */
export const casePattern = (words: readonly string[]): string => words.map(quoteWord).join("|")

/** What comes after a flag, for `case` over ` COMMAND --flag`. Flags with the same kind of value share a branch. */
export function valueBranches(listed: readonly ListedCommand[], act: (kind: ValueKind) => string): [string, string][] {
  const branches = new Map<string, string[]>()
  for (const { at, node } of listed) {
    for (const { names, value } of valueFlags(node)) {
      const action = act(value)
      branches.set(action, [...(branches.get(action) ?? []), ...names.map((name) => `${at} ${name}`)])
    }
  }
  return [...branches].map(([action, words]) => [casePattern(words), action])
}
