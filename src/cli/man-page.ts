import type { CommandNode, FlagNode } from "./command-tree.ts"

/**
 * The manual page `queryveil(1)` with all commands, in the macros of man(7). Flags that all commands share are listed
 * once.
 */
export function manPage(tree: CommandNode, version: string): string {
  const shared = sharedFlags(tree)
  const isOwn = (flag: FlagNode) => !shared.some(({ syntax }) => syntax === flag.syntax)
  return [
    `.TH QUERYVEIL 1 "" "queryveil ${version}" "User Commands"`,
    ".SH NAME",
    `queryveil \\- ${escapeText(tree.description).replace(/\.$/, "")}`,
    ".SH SYNOPSIS",
    ".B queryveil",
    "COMMAND [ARGUMENTS] [FLAGS]",
    ".SH DESCRIPTION",
    escapeText(tree.description),
    "A log becomes a release: a folder with the data and release.json, which says what is promised and what is not.",
    "Check a release with verify, attack it with attack, and see what it is worth with measure before you publish it.",
    ".SH OPTIONS",
    "Options of queryveil itself:",
    ...flagLines(tree.flags.filter(isOwn)),
    ".PP",
    "Options of every command:",
    ...flagLines(shared),
    ".SH COMMANDS",
    ...tree.commands.flatMap((node) => commandLines(node, isOwn)),
    ".SH EXIT STATUS",
    ...paragraphs(tree.notes),
    ".SH ENVIRONMENT",
    ".TP",
    "NO_COLOR, FORCE_COLOR, TERM",
    "Colours are printed on a terminal. NO_COLOR or TERM=dumb turns them off. FORCE_COLOR turns them on in a pipe too.",
    "",
  ].join("\n")
}

/** A command that groups others is a heading, followed by its subcommands. */
function commandLines(node: CommandNode, isOwn: (flag: FlagNode) => boolean): string[] {
  const isGroup = node.commands.length > 0 && node.arguments.length === 0
  return [
    `.SS ${escapeText(node.fullName)}`,
    escapeText(capitalise(node.description)),
    ".PP",
    `.B ${escapeText(node.usage)}`,
    ...node.arguments.flatMap(({ name, description }) => [".TP", `.I ${escapeText(name)}`, escapeText(description)]),
    ...(isGroup ? [] : [...flagLines(node.flags.filter(isOwn)), ...paragraphs(node.notes)]),
    ...node.commands.flatMap((child) => commandLines(child, isOwn)),
  ]
}

/** The flags shared by every command that has an action. */
function sharedFlags(tree: CommandNode): FlagNode[] {
  const leaves = (node: CommandNode): CommandNode[] =>
    node.commands.length === 0 ? [node] : node.commands.flatMap(leaves)
  const [first, ...rest] = leaves(tree)
  const isIn =
    (flag: FlagNode) =>
    ({ flags }: CommandNode) =>
      flags.some(({ syntax }) => syntax === flag.syntax)
  return (first?.flags ?? []).filter((flag) => rest.every(isIn(flag)))
}

const flagLines = (flags: readonly FlagNode[]): string[] =>
  flags.flatMap(({ syntax, description }) => [".TP", `.B ${escapeText(syntax)}`, escapeText(description)])

/** Splits notes into paragraphs. Lists keep their lines. */
function paragraphs(notes: string): string[] {
  if (notes === "") return []
  return notes.split(/\n{2,}/).flatMap((part) => {
    const lines = part.split("\n").map(escapeText)
    return part.includes("\n  ") ? [".PP", ".nf", ...lines, ".fi"] : [".PP", ...lines]
  })
}

const capitalise = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/**
 * Escapes text for troff: backslashes, hyphens and non-ASCII characters are written out, and no line begins with a
 * control character.
 */
function escapeText(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/\P{ASCII}/gu, (sign) => `\\[u${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`)
    .replace(/^(?=[.'])/gm, "\\&")
}
