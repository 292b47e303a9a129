import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** A row of a table of docs/papers.md. */
interface PaperRow {
  /** Definition, algorithm, table or figure of the paper. */
  point: string
  /** Arguments of `queryveil`; empty where nothing is run. */
  command: string
  /** Files, `file: text` or `output: text` that the command must give. */
  shows: string[]
  /** Files of the repository that do it. */
  doneBy: string[]
  verdict: string
}

interface PaperTables {
  /** Commands that make what the others need. */
  setup: string[]
  papers: { title: string; rows: PaperRow[] }[]
}

/** The repository's folder. */
export const repository = fileURLToPath(new URL("../..", import.meta.url))

export const readPapersPage = () => readPaperTables(readFileSync(join(repository, "docs/papers.md"), "utf8"))

/** The words of a command of the page; one in quotes may have spaces. */
export const splitWords = (command: string) =>
  (command.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/"/g, ""))

/** Reads docs/papers.md: the commands of its code blocks, and the table of each paper. */
function readPaperTables(page: string): PaperTables {
  const setup = [...page.matchAll(/^queryveil (.+)$/gm)].map(([, line = ""]) => line)
  const papers = page
    .split(/^## (?=\d)/m)
    .slice(1)
    .map((section) => {
      const [title = "", ...lines] = section.split("\n")
      let command = ""
      const rows = lines.filter(isRow).map((line) => {
        const cells = line.slice(2, -2).split(/ \| /)
        const [point = "", said = "", shows = "", doneBy = "", verdict = ""] = cells
        if (cells.length !== 5) throw new Error(`A row of docs/papers.md has ${cells.length} cells, not 5: ${line}`)
        if (said !== "same") command = (quoted(said)[0] ?? "").replace(/^queryveil /, "")
        return { point, command, shows: quoted(shows), doneBy: quoted(doneBy), verdict }
      })
      return { title, rows }
    })
  return { setup, papers }
}

const isRow = (line: string) => /^\| (?!in the paper)/.test(line)

const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text)
