import { Command } from "commander"
import { Type } from "#typebox"
import { type Explained, explainOptions, explainQueryAny } from "../../app/explain-query.ts"
import { pickOptions } from "../../app/options.ts"
import { flagWords, shellCommand } from "../../app/shell-words.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { Change } from "../../methods/explanation.ts"
import type { Method } from "../../methods/method.ts"
import { methods } from "../../methods/registry.ts"
import { methodOptions, type OptionValues, presetOption } from "../../release/anonymize.ts"
import { defineCommand } from "../define-command.ts"
import { readFileFlags } from "../file-flags.ts"
import type { Given } from "../flags.ts"
import { textTable } from "../print.ts"

const { query: _query, svg, force, ...logFlags } = explainOptions.properties

const help = [
  "Give the options of the release. Most shells keep a query on the command line in their history.",
  "With - the query is read from the standard input instead: type it and end with Ctrl-D, or give a file:",
  "… - < query.txt",
].join(" ")

/** `explain METHOD LOG QUERY`: one subcommand for each method that can explain how it treats a query. */
export function explainCommand(): Command {
  const command = new Command("explain").description(
    "explain why a query is in a release or not, and what would change that (private)",
  )
  for (const method of methods) if (method.explain !== undefined) command.addCommand(methodCommand(method))
  return command
}

function methodCommand(method: Method): Command {
  const options = methodOptions(method)
  const drawing = method.name === "affinity" ? { svg, force } : {}
  return defineCommand({
    name: method.name,
    summary: `explain why ${method.name} would release a query or not`,
    argument: [
      { syntax: "<log>", description: "search log: a file, a glob, or - for the standard input" },
      { syntax: "<query>", description: "a query of the log, or - to read it from the standard input" },
    ],
    flags: Type.Object({ ...options.properties, ...presetOption.properties, ...drawing, ...logFlags }),
    help,
    async run(session, flags, [path = "", text = ""]) {
      if (path === "-" && text === "-")
        throw new QueryveilError("usage", "LOG and QUERY cannot both be -: there is one standard input.")
      const query = text === "-" ? await readQuery() : text
      const given = (await readFileFlags(options, pickOptions(options, flags))) as OptionValues
      const { preset } = flags as Given<typeof presetOption>
      const choice = { ...given, ...(preset && { preset }), method: method.name }
      const asked = { ...pickOptions(explainOptions, flags), query }
      const found = await explainQueryAny(path, choice, asked, session.context)
      session.answer("explain", found)
      session.say(explanationText(found))
      if (found.svg !== undefined) session.say(`\n${found.svg} (private: it shows queries of the log)`)
      return 0
    },
  })
}

/** Reads the whole standard input as one query. */
async function readQuery(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString("utf8").trim()
  if (text !== "" && !/[\r\n]/.test(text)) return text
  const what = text === "" ? "is empty" : "has more than one line"
  throw new QueryveilError("usage", `The standard input ${what}. Give one query there, or as an argument instead of -.`)
}

const verdictWords = {
  released: "RELEASED",
  "released in another form": "RELEASED IN ANOTHER FORM",
  "not released": "NOT RELEASED",
  "depends on chance": "DEPENDS ON CHANCE",
}

function explanationText(found: Explained): string {
  const { verdict, reasons, changes, tables, users, searches } = found
  const parts = [
    "Private: this describes the log.",
    `${verdictWords[verdict]}${chanceText(found)}. In the log: ${plural(users, "user", "users")}, ` +
      `${plural(searches, "search", "searches")}.`,
    reasons.join("\n"),
  ]
  for (const [title, table] of Object.entries(tables)) parts.push(`${title}\n${textTable(table)}`)
  const none = "Nothing that this command tries would change that."
  parts.push(changes.length === 0 ? none : `What would change that\n${changes.map(changeText).join("\n")}`)
  return parts.join("\n\n")
}

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

function chanceText({ verdict, chance }: Pick<Explained, "verdict" | "chance">): string {
  if (verdict !== "depends on chance") return ""
  const say = (value: number) =>
    value < 1e-12 && value > 0
      ? "nearly 0"
      : value > 1 - 1e-6 && value < 1
        ? "nearly 1"
        : `${Number(value.toPrecision(4))}`
  return chance.low === chance.high ? ` (${say(chance.low)})` : ` (between ${say(chance.low)} and ${say(chance.high)})`
}

function changeText(change: Change): string {
  const { options, users, verdict, smallest, price } = change
  const what =
    users === undefined
      ? shellCommand(flagWords(options))
      : `${plural(users, "more user who issues", "more users who issue")} it`
  const flags =
    users !== undefined && Object.keys(options).length > 0 ? `, with ${shellCommand(flagWords(options))}` : ""
  return `  ${what}${flags}: ${verdict}${chanceText(change)}${smallest ? "; less is not enough" : ""}.\n    ${price}`
}
