import { useState } from "preact/hooks"
import type { Explained } from "../../../src/app/explain-query.ts"
import { counted } from "../../shared/format.ts"
import { Panel } from "../../shared/panel.tsx"
import { sayValue, titleOf } from "../explore/option-fields.ts"
import { JobStatus } from "../job-status.tsx"
import { isActive } from "../job-words.ts"
import type { Studio } from "../studio.ts"
import { useResult, useStart } from "../use-job.ts"
import { visible } from "../visible.ts"
import { sayChance } from "./say-chance.ts"

const verdicts: Readonly<Record<Explained["verdict"], { says: string; look: string }>> = {
  released: { says: "Yes, it is in the release.", look: "good" },
  "released in another form": { says: "Yes, in another form.", look: "good" },
  "not released": { says: "No, it is not in the release.", look: "" },
  "depends on chance": { says: "That depends on chance.", look: "" },
}

/** Asks whether a query is in the release, and why. What is typed leaves the page only in the body of a request. */
export function ExplainBox({ studio }: { studio: Studio }) {
  const { start, isStarting } = useStart(studio, "explain")
  const [query, setQuery] = useState("")
  const [asked, setAsked] = useState<string>()
  const newest = studio.jobOf("explain")
  const job = newest?.id === asked ? newest : undefined
  const result = useResult(studio, job)
  return (
    <Panel title="Is this query in it, and why?">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void start({ query }).then((started) => setAsked(started?.id))
        }}
      >
        <label>
          A whole query of the log
          <input
            type="text"
            required
            autocomplete="off"
            spellcheck={false}
            maxLength={4096}
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={isStarting || isActive(newest)}>
          Ask
        </button>
      </form>
      <JobStatus {...{ studio, job }} ended="Nothing was asked." />
      {isExplained(result) && <Answer found={result} />}
    </Panel>
  )
}

function Answer({ found }: { found: Explained }) {
  const { verdict, users, searches, query, reasons, changes, warnings } = found
  const { says, look } = verdicts[verdict]
  return (
    <div class="answer" aria-live="polite">
      <p class={`notice ${look}`}>
        <strong>
          {says} {sayChance(found)}
        </strong>
      </p>
      <p>
        <bdi>{visible(query)}</bdi>: {counted(users, "person", "people")} in the log,{" "}
        {counted(searches, "search", "searches")}.
      </p>
      <ul class="reasons">
        {[...reasons, ...warnings].map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <h3>What would change that</h3>
      {changes.length === 0 ? (
        <p>Nothing that was tried would change it.</p>
      ) : (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Change</th>
                <th scope="col">Then it is</th>
                <th scope="col">What that costs</th>
              </tr>
            </thead>
            <tbody>
              {changes.map((change) => (
                <tr key={JSON.stringify([change.options, change.users])}>
                  <th scope="row">
                    {sayChange(found.method, change)}
                    {change.smallest && <small> (the smallest such change)</small>}
                  </th>
                  <td>
                    {change.verdict} {sayChance(change)}
                  </td>
                  <td>{change.price}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="note">This answer describes the log itself. Do not pass it on.</p>
    </div>
  )
}

function sayChange(method: string, { options, users }: Explained["changes"][number]): string {
  const more = users === undefined ? [] : [`${counted(users, "more person", "more people")} who search for it`]
  const set = Object.entries(options).map(([key, value]) => `${titleOf(method, key)}: ${sayValue(key, String(value))}`)
  return [...more, ...set].join("; ")
}

function isExplained(value: unknown): value is Explained {
  return typeof value === "object" && value !== null && "verdict" in value && "reasons" in value
}
