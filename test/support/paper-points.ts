import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** A point of docs/papers.md. */
interface PaperPoint {
  /** Definition, algorithm, table or figure of the paper. */
  point: string
  /** Arguments of `queryveil`. */
  command: string
  /** Files, `file: text` or `output: text` that the command must produce. */
  shows: string[]
  /** Files of the repository that implement it. */
  doneBy: string[]
  verdict: string
}

interface PaperPoints {
  /** Commands that make what the others need. */
  setup: string[]
  papers: { title: string; points: PaperPoint[] }[]
}

/** The repository's folder. */
export const repository = fileURLToPath(new URL("../..", import.meta.url))

export const readPapersPage = () => readPaperPoints(readFileSync(join(repository, "docs/papers.md"), "utf8"))

/** The words of a command of the page. A quoted word may have spaces. */
export const splitWords = (command: string) =>
  (command.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/"/g, ""))

/** Reads docs/papers.md: the commands of its first sections, and the points of each paper. */
function readPaperPoints(page: string): PaperPoints {
  const [before = "", ...sections] = page.split(/^## (?=\d)/m)
  const setup = blocksOf(before).flatMap((block) => block.command ?? [])
  const papers = sections.map((section) => {
    const [title = ""] = section.split("\n")
    let command = ""
    const points: PaperPoint[] = []
    for (const block of blocksOf(section)) {
      if (block.command === undefined) points.push(readPoint(block.item, command))
      else command = block.command
    }
    return { title, points }
  })
  return { setup, papers }
}

/** The code blocks and the points of a section, in order. Lines are joined. */
function blocksOf(section: string) {
  const found = section.matchAll(/^```sh\nqueryveil ([\s\S]*?)\n```$|^- (\*\*[\s\S]*?)(?=\n- |\n\n|\n*$(?![\s\S]))/gm)
  return [...found].map(([, command, item = ""]) => ({
    command: command?.replace(/\s*\\\n\s*/g, " "),
    item: item.replace(/\s*\n\s*/g, " "),
  }))
}

/** `**Point.** Verdict. - Shows: … - Done by: …` */
function readPoint(item: string, command: string): PaperPoint {
  const [, point = "", verdict = "", shows = "", doneBy = ""] =
    /^\*\*(.+?)\.\*\* (.+) - Shows: (.+) - Done by: (.+)$/.exec(item) ?? []
  if (doneBy === "") throw new Error(`A point of docs/papers.md lacks a part: ${item}`)
  return { point, command, shows: quoted(shows), doneBy: quoted(doneBy), verdict }
}

const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, inside = ""]) => inside)
