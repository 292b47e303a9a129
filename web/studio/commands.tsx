/** Command lines that do what the screen does. */
export function Commands({ lines }: { lines: readonly string[] }) {
  return <pre>{lines.join("\n")}</pre>
}
