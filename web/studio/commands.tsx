import { useState } from "preact/hooks"
import type { ScreenName, Studio } from "./studio.ts"

/** The command lines that do the same as a screen, each with a button that copies it. */
export function Commands({ studio, screen }: { studio: Studio; screen: ScreenName }) {
  const lines = studio.state.commands[screen] ?? []
  if (lines.length === 0) return null
  return (
    <details class="commands">
      <summary>The same on the command line</summary>
      <ul>
        {lines.map((line, i) => (
          <Command key={line} line={line} number={i + 1} studio={studio} />
        ))}
      </ul>
    </details>
  )
}

function Command({ line, number, studio }: { line: string; number: number; studio: Studio }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(line)
      setCopied(true)
      studio.say("The command was copied.")
    } catch {
      studio.say("The browser does not let this page copy. Select the command, and copy it by hand.")
    }
  }
  return (
    <li>
      <code>{line}</code>
      <button type="button" class="plain" aria-label={`Copy command ${number}`} onClick={() => void copy()}>
        {isCopied ? "Copied" : "Copy"}
      </button>
    </li>
  )
}
