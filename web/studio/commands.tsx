import { useState } from "preact/hooks"

/** The command lines that do the same as a screen, each with a button that copies it. */
export function Commands({ lines }: { lines: readonly string[] }) {
  const [said, say] = useState("")
  if (lines.length === 0) return null
  const copy = async (line: string, number: number) => {
    try {
      await navigator.clipboard.writeText(line)
      say(`Command ${number} was copied.`)
    } catch {
      say("The browser does not let this page copy. Select the command and copy it by hand.")
    }
  }
  return (
    <section class="commands" aria-labelledby="commands-heading">
      <h2 id="commands-heading">The same on the command line</h2>
      <ul>
        {lines.map((line, i) => (
          <li key={line}>
            <code>{line}</code>
            <button
              type="button"
              class="plain"
              aria-label={`Copy command ${i + 1}`}
              onClick={() => void copy(line, i + 1)}
            >
              Copy
            </button>
          </li>
        ))}
      </ul>
      <p class="note" role="status">
        {said}
      </p>
    </section>
  )
}
