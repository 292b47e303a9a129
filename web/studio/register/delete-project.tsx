import { useState } from "preact/hooks"
import { asBytes } from "../../shared/format.ts"
import { Panel } from "../../shared/panel.tsx"
import { focusHeading } from "../focus-heading.ts"
import type { Studio } from "../studio.ts"
import { visible } from "../visible.ts"
import { sayDisk } from "./disk-words.ts"

/** How much room the project takes, and deleting it. Its id must be typed. */
export function DeleteProject({ studio, onDeleted }: { studio: Studio; onDeleted(kept: string): void }) {
  const { api, state, fail, say } = studio
  const { project, disk } = state
  const [typed, setTyped] = useState("")
  const [isSending, setSending] = useState(false)
  const send = async () => {
    setSending(true)
    try {
      const { kept } = await api.deleteProject(typed.trim())
      say("The project is deleted.")
      onDeleted(kept)
      focusHeading()
    } catch (error) {
      fail(error)
    } finally {
      setSending(false)
    }
  }
  return (
    <Panel title="This project on the disk" aside={<b>{asBytes(disk.bytes)}</b>}>
      <p class="quiet">
        <code>{visible(project.folder)}</code>
      </p>
      <ul class="disk">
        {sayDisk(disk.parts).map(({ says, bytes }) => (
          <li key={says}>
            <span>{says}</span>
            <span class="number">{asBytes(bytes)}</span>
          </li>
        ))}
      </ul>
      <details>
        <summary>Delete this project</summary>
        <p>
          Its settings, drafts, points, releases, receipts, audits, reports and signatures are removed. Your log stays,
          and so do copies that were handed out. <b>The ledger and the record stay in its folder:</b> what was spent of
          the privacy budget of a log cannot be taken back.
        </p>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void send()
          }}
        >
          <label>
            Type the id of the project to delete it
            <span class="hint" id="delete-hint">
              The id is <code>{project.id}</code>
            </span>
            <input
              name="id"
              autocomplete="off"
              spellcheck={false}
              aria-describedby="delete-hint"
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
          <p class="actions">
            <button type="submit" class="plain danger" disabled={isSending || typed.trim() !== project.id}>
              Delete the project for good
            </button>
          </p>
        </form>
      </details>
    </Panel>
  )
}
