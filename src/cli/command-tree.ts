import type { Command, Option } from "commander"
import { choicesOf } from "./flags.ts"

/** The kind of a value: one of some words, a path, both (`english` or a file), or free text. */
export interface ValueKind {
  words: readonly string[]
  path?: "file" | "folder"
}

/** A flag of a command. */
export interface FlagNode {
  /** `-k`, `--k`. */
  names: readonly string[]
  /** The syntax in the help: `-k, --k <n>`. */
  syntax: string
  description: string
  /** Undefined if the flag takes no value. */
  value?: ValueKind
}

/** A command, its flags, and the commands below it. */
export interface CommandNode {
  /** `queryveil anonymize equality`. */
  fullName: string
  name: string
  description: string
  /** Flags and arguments, as in the help. */
  usage: string
  arguments: readonly { name: string; description: string }[]
  flags: readonly FlagNode[]
  commands: readonly CommandNode[]
  /** The text below the lists of the help. */
  notes: string
}

/** The commands as data, for shell completion and the manual page. */
export function readCommandTree(command: Command, parent = ""): CommandNode {
  const help = command.createHelp()
  const fullName = parent === "" ? command.name() : `${parent} ${command.name()}`
  return {
    fullName,
    name: command.name(),
    description: command.description(),
    usage: help.commandUsage(command),
    arguments: help.visibleArguments(command).map((argument) => ({
      name: help.argumentTerm(argument),
      description: help.argumentDescription(argument),
    })),
    flags: help.visibleOptions(command).map(readFlag),
    commands: command.commands.map((child) => readCommandTree(child, fullName)),
    notes: notesOf(command),
  }
}

function readFlag(option: Option): FlagNode {
  const [, placeholder] = /[<[]([^>\]]*?)(?:\.\.\.)?[>\]]$/.exec(option.flags) ?? []
  return {
    names: [option.short, option.long].filter((name) => name !== undefined && name !== null),
    syntax: option.flags,
    description: option.description,
    ...(placeholder !== undefined && { value: kindOf(placeholder, choicesOf(option)) }),
  }
}

const filePlaceholders = ["file", "log", "place"]

/** `file|english|none` is a file or one of two words. */
function kindOf(placeholder: string, choices: readonly string[] | undefined): ValueKind {
  const names = placeholder.split("|")
  if (choices !== undefined) return { words: choices }
  if (names.includes("dir")) return { words: [], path: "folder" }
  if (!names.some((name) => filePlaceholders.includes(name))) return { words: [] }
  return { words: names.filter((name) => !filePlaceholders.includes(name) && name !== "url"), path: "file" }
}

/** The text added by `addHelpText`, which commander writes after the rest. */
function notesOf(command: Command): string {
  const parts: string[] = []
  command.configureOutput({ writeOut: (text) => parts.push(text) }).outputHelp()
  return parts.slice(1).join("").trim()
}
