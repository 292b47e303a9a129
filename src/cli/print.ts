import type { Table } from "../kernels/table.ts"

const gap = "  "

/** The width of text on stdout: 80 columns, or more if the terminal has more. In a pipe COLUMNS says how many. */
export function outputWidth({ isTTY, columns }: { isTTY?: boolean; columns?: number } = process.stdout): number {
  return Math.max(80, (isTTY === true ? columns : Number(process.env.COLUMNS)) || 0)
}

/** A table for a terminal, with numbers aligned to the right. Texts are wrapped if the table would be too wide. */
export function textTable(table: Table, width = outputWidth()): string {
  const columns = table.columns.map((name, column) => {
    const cells = Array.from({ length: table.rows }, (_, row) => table.cell(row, column))
    const isNumber =
      cells.some((cell) => typeof cell === "number") && cells.every((cell) => typeof cell !== "string" || cell === "")
    const texts = [name, ...cells.map((cell) => (typeof cell === "number" ? cell.toLocaleString("en") : cell))]
    return { isNumber, texts }
  })
  const widths = fitColumns(columns, width)
  const row = (index: number) => {
    const wrapped = columns.map(({ texts }, column) => wrapText(texts[index] ?? "", widths[column] ?? width))
    const height = Math.max(...wrapped.map((lines) => lines.length))
    return Array.from({ length: height }, (_, line) =>
      wrapped
        .map((lines, column) => {
          const text = lines[line] ?? ""
          return columns[column]?.isNumber ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0)
        })
        .join(gap)
        .trimEnd(),
    ).join("\n")
  }
  return Array.from({ length: table.rows + 1 }, (_, index) => row(index)).join("\n")
}

/**
 * The width of each column. If they do not all fit, the widest texts are narrowed, but not below their longest word.
 */
function fitColumns(columns: readonly { texts: readonly string[] }[], width: number): number[] {
  const longest = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length))
  const widths = columns.map(({ texts }) => longest(texts))
  const floors = columns.map(({ texts }) => longest(texts.flatMap((text) => text.split(" "))))
  let excess = widths.reduce((sum, one) => sum + one, gap.length * (widths.length - 1)) - width
  for (; excess > 0; excess--) {
    const wide = widths.map((one, column) => (one > (floors[column] ?? 0) ? one : 0))
    const widest = wide.indexOf(Math.max(...wide))
    if ((wide[widest] ?? 0) === 0) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

/**
 * Wraps a text into lines of at most this width. A longer word gets a line of its own. Spaces within a line are kept.
 */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  let rest = text
  while (rest.length > width) {
    const cut = rest.lastIndexOf(" ", width)
    const end = cut > 0 ? cut : rest.indexOf(" ", width)
    if (end < 0) break
    lines.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end + 1).trimStart()
  }
  return [...lines, rest]
}

const isCommand = /^\s*(?:[\w ]+: )?queryveil /
const isTableLine = /\S {2,}\S/

/** Wraps sentences. Table lines, which fit if possible, and commands to copy are not wrapped. */
export function wrapProse(text: string, width = outputWidth()): string {
  return text
    .split("\n")
    .flatMap((line) => {
      if (line.length <= width || isCommand.test(line) || isTableLine.test(line)) return [line]
      const indent = /^\s*(?:- )?/.exec(line)?.[0].length ?? 0
      const [first = "", ...more] = wrapText(line.slice(indent), width - indent)
      return [`${line.slice(0, indent)}${first}`, ...more.map((part) => `${" ".repeat(indent)}${part}`)]
    })
    .join("\n")
}

/**
 * Makes a text safe for a terminal: control characters, for example in a file name, are written out (`\x1b`). Line ends
 * and tabs are kept.
 */
export function tameText(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (sign) => {
    if (sign === "\n" || sign === "\t") return sign
    const code = sign.charCodeAt(0).toString(16)
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, "0")}`
  })
}
