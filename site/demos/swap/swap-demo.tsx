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
import { type LeftSearch, runSwap, type SwapRun, stateAfter } from "./run-swap.ts"
import { swapSearches } from "./swap-log.ts"
import { TopicPanel } from "./topic-panel.tsx"

/** The swap of a small log, search by search: who waits, which cells close, and who is shown with what. */
export function SwapDemo() {
  const [k, setK] = useState(3)
  const [deal, setDeal] = useState(0)
  const [arrived, setArrived] = useState(0)
  const [isReader, setReader] = useState(false)
  const log = useMemo(() => makeLog(swapSearches), [])
  const run = useRun(() => runSwap(log, { k }, createContext()), `${k} ${deal}`)
  const nameOf = (user: number) => log.users.text(user)
  const total = swapSearches.length
  const state = run && stateAfter(run, arrived)
  const last = arrived > 0 ? run?.searches[arrived - 1] : undefined
  const topics = Array.from({ length: log.categories?.size ?? 0 }, (_, topic) => log.categories?.text(topic) ?? "")
  return (
    <DemoFrame title="Swap users within topics" source={runsHere}>
      <div class="qv-controls">
        <Slider
          label="k: among how many others a user is hidden"
          shown={String(k)}
          min={2}
          max={6}
          value={k}
          onChange={setK}
        />
        <div class="qv-buttons">
          <button type="button" disabled={arrived >= total} onClick={() => setArrived(arrived + 1)}>
            Next search
          </button>
          <button type="button" disabled={arrived >= total} onClick={() => setArrived(total)}>
            Run all
          </button>
          <button type="button" disabled={arrived === 0} onClick={() => setArrived(0)}>
            Start over
          </button>
          <button type="button" onClick={() => setDeal(deal + 1)}>
            Deal again
          </button>
        </div>
        <label class="qv-toggle">
          <input type="checkbox" checked={isReader} onChange={(event) => setReader(event.currentTarget.checked)} />
          Show what a reader sees
        </label>
      </div>
      <p class="qv-says" role="status">
        {isReader ? (
          <>A reader sees nothing of what waits, and not who made a search.</>
        ) : (
          <Arrival {...{ arrived, total, last }} topics={topics} nameOf={nameOf} k={k} />
        )}
      </p>
      {state && !isReader && (
        <div class="qv-topics">
          {topics.map((topic, id) => (
            <TopicPanel
              key={topic}
              {...{ topic, k, nameOf }}
              waiting={state.waiting.filter((search) => search.topic === id)}
              left={state.left.filter((search) => search.topic === id)}
            />
          ))}
        </div>
      )}
      {state && <Released left={state.left} {...{ isReader, topics, nameOf }} run={run} />}
      <p class="qv-note">
        A cell closes as soon as {k + 1} users wait in a topic. They exchange one search each, at random, and nobody
        gets their own back. Someone who has the release names the person behind a search with a chance of at most{" "}
        <b>1 in {k}</b>. The texts are released unchanged: their words can still name their author.
        {state && state.refused.length > 0 && !isReader && (
          <>
            {" "}
            So far {counted(state.refused.length, "search", "searches")} withheld: the same text already waits for the
            same cell, or its user has two searches waiting in the topic.
          </>
        )}
      </p>
    </DemoFrame>
  )
}

interface ArrivalProps {
  arrived: number
  total: number
  last: SwapRun["searches"][number] | undefined
  topics: readonly string[]
  nameOf(user: number): string
  k: number
}

function Arrival({ arrived, total, last, topics, nameOf, k }: ArrivalProps) {
  if (last === undefined) return <>{total} searches of 12 users will arrive, one after the other.</>
  const hasClosed = last.closing === arrived - 1
  return (
    <>
      Search {arrived} of {total}: <UserTag name={nameOf(last.user)} number={last.user} /> searches for “{last.query}” (
      {topics[last.topic]}).{" "}
      {last.refused !== ""
        ? "It is withheld."
        : hasClosed
          ? `Now ${k + 1} users wait in this topic: the cell closes, and their searches leave.`
          : "It waits."}
    </>
  )
}

interface ReleasedProps {
  left: readonly LeftSearch[]
  isReader: boolean
  topics: readonly string[]
  nameOf(user: number): string
  run: SwapRun
}

function Released({ left, isReader, topics, nameOf, run }: ReleasedProps) {
  const hour = (search: LeftSearch) => timeText(Math.floor(run.searches[search.closing].time / 3600) * 3600)
  const ordered = isReader ? left : left.toReversed()
  return (
    <div>
      <h4>{isReader ? "The release (what a reader gets)" : "Searches that left, the latest first (private)"}</h4>
      <ScrollArea name="Searches that left">
        <table>
          <thead>
            <tr>
              {isReader ? (
                <>
                  <th scope="col">AnonID</th>
                  <th scope="col">Query</th>
                  <th scope="col">QueryTime</th>
                </>
              ) : (
                <>
                  <th scope="col">Came from</th>
                  <th scope="col">Query</th>
                  <th scope="col">Leaves under</th>
                  <th scope="col">Cell</th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {ordered.map((search) => (
              <tr key={`${search.cell} ${search.query} ${search.user}`}>
                {isReader ? (
                  <>
                    <td class="qv-name">{search.name}</td>
                    <td>{search.query}</td>
                    <td class="qv-time">{hour(search)}</td>
                  </>
                ) : (
                  <>
                    <td>
                      <UserTag name={nameOf(search.user)} number={search.user} />
                    </td>
                    <td>{search.query}</td>
                    <td>
                      <UserTag name={nameOf(search.as)} number={search.as} />
                    </td>
                    <td class="qv-cell">
                      {topics[search.topic]}, cell {search.cell + 1}
                    </td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
        {left.length === 0 && <p class="qv-empty">Nothing has left yet.</p>}
      </ScrollArea>
    </div>
  )
}
