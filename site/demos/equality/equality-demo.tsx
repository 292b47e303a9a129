import { useMemo, useState } from "preact/hooks"
import { createContext } from "../../../src/kernels/context.ts"
import { makeLog } from "../log/make-log.ts"
import { timeText } from "../log/show-names.ts"
import { counted } from "../parts/counted.ts"
import { DemoFrame, runsHere } from "../parts/demo-frame.tsx"
import { ScrollArea } from "../parts/scroll-area.tsx"
import { Slider } from "../parts/slider.tsx"
import { useRun } from "../parts/use-run.ts"
import { UserTag } from "../parts/user-tag.tsx"
import { equalitySearches } from "./equality-log.ts"
import { type EqualityRun, type QueryOutcome, runEquality } from "./run-equality.ts"

/** The method on a small log: what a reader gets for each k, and what is withheld. */
export function EqualityDemo() {
  const [k, setK] = useState(4)
  const [draw, setDraw] = useState(0)
  const log = useMemo(() => makeLog(equalitySearches), [])
  const run = useRun(() => runEquality(log, { k }, createContext()), `${k} ${draw}`)
  const isReleased = new Set(run?.released.map(({ row }) => row))
  const rows = Array.from({ length: log.rows }, (_, row) => row)
  return (
    <DemoFrame title="Release a log by equality" source={runsHere}>
      <div class="qv-controls">
        <Slider
          label="k: how many users must have typed a text"
          shown={String(k)}
          min={1}
          max={10}
          value={k}
          onChange={setK}
        />
        <button type="button" onClick={() => setDraw(draw + 1)}>
          Draw names again
        </button>
      </div>
      {run && <Summary run={run} k={k} rows={log.rows} />}
      <div class="qv-columns">
        <div>
          <h4>The log (private)</h4>
          <ScrollArea name="The log">
            <table>
              <thead>
                <tr>
                  <th scope="col">User</th>
                  <th scope="col">Query</th>
                  <th scope="col">Time</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row} class={isReleased.has(row) ? "" : "qv-withheld"}>
                    <td>
                      <UserTag name={log.users.text(log.user[row])} number={log.user[row]} />
                    </td>
                    <td>{log.queries.text(log.query[row])}</td>
                    <td class="qv-time">{timeText(log.time[row])}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollArea>
        </div>
        <div>
          <h4>The release (what a reader gets)</h4>
          <ScrollArea name="The release">
            <table>
              <thead>
                <tr>
                  <th scope="col">AnonID</th>
                  <th scope="col">Query</th>
                  <th scope="col">QueryTime</th>
                </tr>
              </thead>
              <tbody>
                {run?.released.map(({ name, query, time, row }) => (
                  <tr key={row}>
                    <td class="qv-name">{name}</td>
                    <td>{query}</td>
                    <td class="qv-time">{timeText(time)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {run?.released.length === 0 && <p class="qv-empty">Nothing. No text has {k} users.</p>}
          </ScrollArea>
        </div>
      </div>
      {run && <Outcomes queries={run.queries} k={k} />}
    </DemoFrame>
  )
}

function Summary({ run, k, rows }: { run: EqualityRun; k: number; rows: number }) {
  const texts = run.queries.filter(({ isReleased }) => isReleased).length
  return (
    <p class="qv-says" role="status">
      <b>
        {run.released.length} of {rows} rows
      </b>{" "}
      and {texts} of {run.queries.length} texts are released.{" "}
      {k === 1
        ? "With k = 1 nothing is promised: every text is released."
        : `No text in the release was typed by fewer than ${k} users. Several common queries of one person, read
           together, can still point to that person.`}
    </p>
  )
}

function Outcomes({ queries, k }: { queries: readonly QueryOutcome[]; k: number }) {
  const most = Math.max(...queries.map(({ users }) => users), k)
  return (
    <div>
      <h4>Why: users of each text (private)</h4>
      <ul class="qv-bars">
        {queries.map(({ query, users, rows, isReleased }) => (
          <li key={query} class={isReleased ? "" : "qv-withheld"}>
            <span class="qv-bar-name">{query}</span>
            <span class="qv-bar" aria-hidden="true">
              <i style={{ width: `${(100 * users) / most}%` }} />
              <u style={{ left: `${(100 * k) / most}%` }} />
            </span>
            <span class="qv-bar-says">
              {counted(users, "user")}, {counted(rows, "row")}: {isReleased ? "released" : "withheld"}
            </span>
          </li>
        ))}
      </ul>
      <p class="qv-note">
        Users are counted, not rows: one person who types a text three times is one user. Names in the release are
        random, one per session, and times are cut to the hour. The command also withholds queries with a direct
        identifier, such as a phone number; this log has none.
      </p>
    </div>
  )
}
