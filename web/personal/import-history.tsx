import { useState } from "preact/hooks"
import { ApiError } from "./api.ts"
import type { PersonalProxy } from "./proxy.ts"
import { counted } from "./words.ts"

/** Uploads a history to the proxy, which learns from it. */
export function ImportHistory({ proxy }: { proxy: PersonalProxy }) {
  const { api, state, setState, fail } = proxy
  const [file, setFile] = useState<File>()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<{ look: "done" | "failed"; text: string }>()
  const most = state.mostUploaded >> 20
  const read = async (file: File) => {
    if (file.size > state.mostUploaded) {
      const text = `The file is over ${most} MB. Split it, or import it with: queryveil personal serve --import FILE`
      setOutcome({ look: "failed", text })
      return
    }
    setBusy(true)
    setOutcome(undefined)
    try {
      const { documents, placed, state: after } = await api.importHistory(file)
      setState(() => after)
      const now = `Your profile now has ${counted(after.profile.topics, "topic")}.`
      const [some, all] = [placed.toLocaleString("en"), documents.toLocaleString("en")]
      const read = `${some} of ${all} searches and pages have a topic.`
      setOutcome({ look: "done", text: `${read} ${now}` })
    } catch (error) {
      if (error instanceof ApiError && error.kind === "failed") setOutcome({ look: "failed", text: error.message })
      else fail(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <form
        class="import"
        onSubmit={(event) => {
          event.preventDefault()
          if (file !== undefined) void read(file)
        }}
      >
        <label class="wide">
          History file
          <input
            type="file"
            onChange={(event) => {
              setFile(event.currentTarget.files?.[0])
              setOutcome(undefined)
            }}
          />
        </label>
        <button type="submit" disabled={isBusy || file === undefined}>
          {isBusy ? "Importing…" : "Import"}
        </button>
      </form>
      <p role="alert" class={outcome === undefined ? "" : `outcome ${outcome.look}`}>
        {outcome?.text}
      </p>
      <details>
        <summary>Which files can be imported</summary>
        <ul class="plain-list">
          <li>Google Takeout, My Activity as JSON (MyActivity.json), or Chrome’s history from Takeout.</li>
          <li>A CSV file with a header: url, time and, if you have it, title.</li>
          <li>A copy of Chrome’s History or Firefox’s places.sqlite, if DuckDB’s sqlite extension is installed.</li>
          <li>Lines of JSON, each with a time and a query, title, url or text.</li>
        </ul>
        <p class="note">At most {most} MB. The same file imported twice counts twice.</p>
      </details>
    </>
  )
}
