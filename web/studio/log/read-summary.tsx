import { useState } from "preact/hooks"
import { asCount, counted } from "../../shared/format.ts"
import { Panel } from "../../shared/panel.tsx"
import type { StudioState } from "../answers.ts"
import type { Studio } from "../studio.ts"
import { visible } from "../visible.ts"
import { fileSize } from "./file-size.ts"
import { personsCounted } from "./person-words.ts"

type ChosenLog = NonNullable<StudioState["log"]>
type ReadLog = NonNullable<ChosenLog["read"]>

interface ReadSummaryProps {
  studio: Studio
  log: ChosenLog
  read: ReadLog
  onChange(): void
}

/** What was read: rows, people, period, what was rejected, and doubts that only the whole log shows. */
export function ReadSummary({ studio, log, read, onChange }: ReadSummaryProps) {
  const [isChecked, setChecked] = useState(false)
  const people = personsCounted(log.person)
  const facts: [string, string][] = [
    ["Rows", asCount(read.rows)],
    ["Searches", asCount(read.events)],
    [`People, counted as ${people}`, asCount(read.users)],
    ["Different queries", asCount(read.queries)],
    ["Different urls", asCount(read.urls)],
    ["Period", read.span === null ? "no times" : periodOf(read.span)],
    ["Rejected lines", asCount(read.rejected)],
  ]
  const mayGo = read.doubts.length === 0 || isChecked
  return (
    <div class="stack">
      <Panel title="The log that was read">
        <p class="lead">
          {counted(read.events, "search", "searches")} of {counted(read.users, log.person)}
          {read.span !== null && ` in ${counted(Math.max(1, Math.round(read.span.days)), "day")}`}.
        </p>
        {read.rejected > 0 && (
          <p class="note">
            {counted(read.rejected, "line")} could not be read as rows and {read.rejected === 1 ? "is" : "are"} left out
            ({shareOf(read.rejected, read.rejected + read.rows)}).
          </p>
        )}
        <dl class="facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <h3>Files</h3>
        <ul class="files">
          {log.files.map(({ path, bytes, state }) => (
            <li key={path}>
              <bdi>{visible(path)}</bdi> <span class="quiet">{fileSize(bytes)}</span>{" "}
              {state !== "same" && <span class="pill bad">{state === "changed" ? "changed since" : "not found"}</span>}
            </li>
          ))}
        </ul>
        {read.readings.map((reading) => (
          <p key={reading} class="note">
            <bdi>{reading}</bdi>
          </p>
        ))}
      </Panel>
      {read.warnings.length > 0 && (
        <div class="notice warn">
          <b>{read.warnings.length === 1 ? "A warning:" : "Warnings:"}</b>
          <ul>
            {read.warnings.map((warning) => (
              <li key={warning}>
                <bdi>{warning}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
      {read.doubts.length > 0 && (
        <div class="notice warn">
          <b>The user column may be wrong.</b>
          <ul>
            {read.doubts.map((doubt) => (
              <li key={doubt}>
                <bdi>{doubt}</bdi>
              </li>
            ))}
          </ul>
          <label class="tick">
            <input type="checkbox" checked={isChecked} onChange={(event) => setChecked(event.currentTarget.checked)} />
            <span>I have looked into this, and the user column is right.</span>
          </label>
        </div>
      )}
      <p class="actions">
        <button type="button" disabled={!mayGo} onClick={() => studio.go("exposure")}>
          Continue to Exposure
        </button>
        <button type="button" class="plain" onClick={onChange}>
          Choose other files or columns
        </button>
      </p>
    </div>
  )
}

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" })

function periodOf({ first, last }: { first: string; last: string }): string {
  const [from, to] = [first, last].map((time) => day.format(new Date(time)))
  return from === to ? `${from}` : `${from} to ${to}`
}

/** A share of lines; never 0 if there are some. */
function shareOf(part: number, all: number): string {
  const percent = (100 * part) / all
  return percent < 0.1 ? "less than 0.1 %" : `${percent.toFixed(1)} %`
}
