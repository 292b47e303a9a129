/** A table in Markdown. A short row leaves its last cells empty. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `|${head.map((_, i) => ` ${cells[i] ?? ""} |`).join("")}`
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line), ""].join("\n")
}
