import type { Command, Help } from "commander"
import { wrapText } from "./print.ts"

const widestTerm = 28
const indent = "  "

/**
 * Layout of lists in the help: terms on the left, their descriptions wrapped on the right. A long term gets a line of
 * its own.
 */
const helpLayout: Partial<Help> = {
  padWidth(command, help) {
    const terms = [
      ...help.visibleOptions(command).map((option) => help.optionTerm(option)),
      ...help.visibleCommands(command).map((child) => help.subcommandTerm(child)),
      ...help.visibleArguments(command).map((argument) => help.argumentTerm(argument)),
    ]
    return Math.max(...terms.map((term) => term.length).filter((length) => length <= widestTerm), 0)
  },
  formatItem(term, width, description, help) {
    const left = " ".repeat(2 * indent.length + width)
    const lines = wrapText(description, (help.helpWidth ?? 80) - left.length)
    const isShort = term.length <= width
    const [first = "", ...more] = isShort ? lines : ["", ...lines]
    return [`${indent}${term.padEnd(width)}${indent}${first}`.trimEnd(), ...more.map((line) => left + line)].join("\n")
  },
}

/** Applies the help layout to a command and its subcommands. */
export function layOutHelp(command: Command): void {
  command.configureHelp(helpLayout).helpOption("-h, --help", "print this help").helpCommand(false)
  for (const child of command.commands) layOutHelp(child)
}
