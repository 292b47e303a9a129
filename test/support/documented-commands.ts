import { readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { fencesOf, joinLines } from "./page-commands.ts"
import { splitWords } from "./paper-points.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** All pages of the site with text, by their paths in the repository. */
export const documentedPages = ["docs", "site/pages"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.startsWith("api/"))
    .map((name) => `${folder}/${name}`),
)

/** The `queryveil` commands in the fenced blocks of a page, as written. */
export const commandsOf = (page: string) =>
  fencesOf(page)
    .flatMap(({ text }) => joinLines(text).split("\n"))
    .flatMap((line) => /^(?:\$ )?(?:npx |node_modules\/\.bin\/)?queryveil (.*)$/.exec(line)?.[1] ?? [])

/** A command without explanations: comments, and text after three spaces. */
const withoutNotes = (command: string) => command.split(/\s#\s|\s{3,}/)[0] ?? ""

/**
 * The words of a command, without what only the shell or the reader needs: notes, pipes, redirections, brackets around
 * what is optional, and `…` for anything else. METHOD is any method.
 */
export function wordsOf(command: string): string[] {
  const [typed = ""] = withoutNotes(command).split(/\s[<>&](?:\s|$)|\s\|\s(?!--)/)
  const words = splitWords(typed.replace(/[[\]]/g, "")).filter((word) => word !== "|" && word !== "…")
  return words.map((word) => (word === "METHOD" ? "equality" : word))
}

/** True if a line shows the form of a command and cannot be typed: it has optional parts, or a choice of flags. */
export const isForm = (command: string) => /[[\]]|\s\|\s--/.test(withoutNotes(command))

/** True if a command needs a broker, a cluster or an index. The tests of these servers run it. */
export const needsServer = (command: string) => /\b(?:kafka|opensearch|sc):\/\//.test(command)

/**
 * A command as a shell takes it. Each word in capitals that stands for a value is replaced. A list of values, such as
 * `il|dp`, becomes its first. `…` becomes `more`.
 */
export function typedCommand(
  command: string,
  { values, more = "" }: { values: Readonly<Record<string, string>>; more?: string },
): string {
  return withoutNotes(command)
    .replace(/\s…/g, more === "" ? "" : ` ${more}`)
    .replace(/(?<=\s)([a-z]+)(?:\|[a-z]+)+(?=\s|$)/g, "$1")
    .replace(/(?<=[\s/])[A-Z]+[0-9]*(?=[\s/]|$)/g, (word) => values[word] ?? word)
}
