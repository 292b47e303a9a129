import { useMemo, useState } from "preact/hooks"
import { createContext } from "../../../src/kernels/context.ts"
import { makeLog } from "../log/make-log.ts"
import { asCount } from "../parts/counted.ts"
import { DemoFrame, runsHere } from "../parts/demo-frame.tsx"
import { ScrollArea } from "../parts/scroll-area.tsx"
import { Slider } from "../parts/slider.tsx"
import { useRun } from "../parts/use-run.ts"
import { countsSearches } from "./counts-log.ts"
import { deltas, epsilons, sayPromise, warnOfDelta } from "./counts-words.ts"
import { type CountedQuery, type CountsRun, runCounts } from "./run-counts.ts"

const users = 3000

/** Noisy counts of a synthetic log, with the true counts next to them. */
export function CountsDemo() {
  const [epsilonAt, setEpsilon] = useState(epsilons.indexOf("2"))
  const [deltaAt, setDelta] = useState(deltas.indexOf("1e-6"))
  const [maxQueries, setMaxQueries] = useState(3)
  const [draw, setDraw] = useState(1)
  const log = useMemo(() => makeLog(countsSearches(users)), [])
  const limits = { epsilon: epsilons[epsilonAt] ?? "1", delta: deltas[deltaAt] ?? "1e-6", maxQueries }
  const run = useRun(() => runCounts(log, limits, createContext()), `${epsilonAt} ${deltaAt} ${maxQueries} ${draw}`)
  const warning = warnOfDelta(limits.delta, users)
  return (
    <DemoFrame title="Release noisy counts of queries" source={runsHere}>
      <div class="qv-controls">
        <Slider
          label="ε: how much one user may change"
          shown={limits.epsilon}
          min={0}
          max={epsilons.length - 1}
          value={epsilonAt}
          onChange={setEpsilon}
        />
        <Slider
          label="δ: chance beyond that"
          shown={limits.delta}
          min={0}
          max={deltas.length - 1}
          value={deltaAt}
          onChange={setDelta}
        />
        <Slider
          label="Most queries of a user that count"
          shown={String(maxQueries)}
          min={1}
          max={8}
          value={maxQueries}
          onChange={setMaxQueries}
        />
        <button type="button" onClick={() => setDraw(draw + 1)}>
          Draw again
        </button>
      </div>
      <p class="qv-says">{sayPromise(limits.epsilon, limits.delta)}</p>
      {warning !== "" && <p class="qv-warning">{warning}</p>}
      <p class="qv-warning">
        Draw {draw} of this page. On a real log every draw spends ε and δ once more, and the costs add up
        {draw > 1 && (
          <>
            {" "}
            : {draw} draws cost {draw} times as much
          </>
        )}
        .
      </p>
      {run && <Counted run={run} maxQueries={maxQueries} />}
    </DemoFrame>
  )
}

function Counted({ run, maxQueries }: { run: CountsRun; maxQueries: number }) {
  const { queries, threshold, tau, scale, minUsers, table } = run
  const counting = maxQueries === 1 ? "the first query" : `the first ${maxQueries} queries`
  const most = Math.max(threshold, ...queries.map(({ users, noisy = 0 }) => Math.max(users, noisy)))
  return (
    <div>
      <p class="qv-says" role="status">
        <b>
          {table.length} of {queries.length} queries
        </b>{" "}
        are shown: those with at least {minUsers} users and a noisy count of at least {asCount(threshold)} (the
        threshold τ = {asCount(tau)}, and {minUsers - 1} for the other users). The scale of the noise is{" "}
        {Number(scale.toPrecision(3))}.
      </p>
      <ul class="qv-key" aria-hidden="true">
        <li>
          <i class="qv-key-true" /> true count
        </li>
        <li>
          <i class="qv-key-bounded" /> what counts of it
        </li>
        <li>
          <i class="qv-key-noisy" /> with noise
        </li>
        <li>
          <i class="qv-key-line" /> threshold
        </li>
      </ul>
      <ScrollArea name="Counts of queries" isTall>
        <table class="qv-counts">
          <thead>
            <tr>
              <th scope="col">Query</th>
              <th scope="col" class="qv-wide" aria-label="Counts as a bar" />
              <th scope="col">True</th>
              <th scope="col">Noisy</th>
              <th scope="col">Released</th>
            </tr>
          </thead>
          <tbody>
            {queries.map((query) => (
              <CountRow key={query.query} {...{ query, most, threshold }} />
            ))}
          </tbody>
        </table>
      </ScrollArea>
      <p class="qv-note">
        Only the last column leaves. At most {counting} of each of the {asCount(users)} synthetic users count. A smaller
        number needs less noise, and counts less. A query with fewer than {minUsers} users is not shown, whatever the
        noise. This table alone gets the whole of ε and δ (<code>--split 1,0,0</code>): tables of clicks and transitions
        would share them.
      </p>
    </div>
  )
}

function CountRow({ query, most, threshold }: { query: CountedQuery; most: number; threshold: number }) {
  const { query: text, users, bounded, noisy, isShown } = query
  const percent = (value: number) => `${(100 * Math.max(0, value)) / most}%`
  return (
    <tr class={isShown ? "" : "qv-withheld"}>
      <th scope="row">{text}</th>
      <td class="qv-wide">
        <span class="qv-count-bar" aria-hidden="true">
          <i style={{ width: percent(users) }} />
          <b style={{ width: percent(bounded) }} />
          <u style={{ left: percent(threshold) }} />
          {noisy !== undefined && <em style={{ left: percent(noisy) }} />}
        </span>
      </td>
      <td>{asCount(users)}</td>
      <td>{noisy === undefined ? "none" : asCount(noisy)}</td>
      <td>{isShown && noisy !== undefined ? asCount(noisy) : "–"}</td>
    </tr>
  )
}
