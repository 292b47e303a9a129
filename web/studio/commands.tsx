/** The commands that do the same as a screen. */
export function Commands({ lines }: { lines: readonly string[] }) {
  return (
    <section class="panel">
      <h2>The same on the command line</h2>
      <pre>{lines.join("\n")}</pre>
    </section>
  )
}
