import { useState } from "preact/hooks"
import type { Result, SearchAnswer } from "./answers.ts"
import { dictionaryNote, engineLabel, isDictionary } from "./engine-words.ts"
import { asAddress, counted, isLink, movedUp, sayMoved, splitPath } from "./words.ts"

interface ResultsProps {
  found: SearchAnswer
  onFollow(event: MouseEvent, result: Result & { url: string }): void
}

/** Results in the searcher's order, or the engine's, each with how far it moved. */
export function Results({ found, onFollow }: ResultsProps) {
  const [order, setOrder] = useState<"mine" | "engine">("mine")
  const { results, original, engine, milliseconds, sent } = found
  const moved = results.filter((result) => movedUp(result) !== 0).length
  const list = order === "mine" ? results : original
  const total = Math.round(milliseconds.engine + milliseconds.proxy)
  return (
    <section aria-label="Results">
      <div class="results-head">
        <p class="quiet">
          {counted(results.length, "result")} from {engineLabel(engine)} in {total} ms
          {moved > 0 ? `, ${moved} moved ${sent ? "by the engine, for what it was shown" : "on this machine"}` : ""}
        </p>
        {moved > 0 && (
          <fieldset class="order">
            <legend class="unseen">Order</legend>
            <Order value="mine" label="Mine" order={order} onOrder={setOrder} />
            <Order value="engine" label="The engine’s" order={order} onOrder={setOrder} />
          </fieldset>
        )}
      </div>
      {isDictionary(engine) && (
        <p class="dictionary">
          {dictionaryNote} <a href="#settings">Set up an engine</a>
        </p>
      )}
      <ol class="results">
        {list.map((result) => (
          <ResultItem key={result.before} result={result} order={order} onFollow={onFollow} />
        ))}
      </ol>
    </section>
  )
}

interface OrderProps {
  value: "mine" | "engine"
  label: string
  order: string
  onOrder(order: "mine" | "engine"): void
}

const Order = ({ value, label, order, onOrder }: OrderProps) => (
  <label>
    <input type="radio" name="order" checked={order === value} onChange={() => onOrder(value)} />
    <span>{label}</span>
  </label>
)

interface ResultItemProps {
  result: Result
  order: "mine" | "engine"
  onFollow: ResultsProps["onFollow"]
}

function ResultItem({ result, order, onFollow }: ResultItemProps) {
  const { title, url, snippet, topic, rank, before } = result
  const follow = (event: MouseEvent) => isLink(url) && onFollow(event, { ...result, url })
  return (
    <li>
      <div class="place">
        <span class="rank">{order === "mine" ? rank : before}</span>
        <Moved result={result} order={order} />
      </div>
      <div class="what">
        <h3 dir="auto">
          {isLink(url) ? (
            <a href={url} rel="noreferrer noopener" onClick={follow} onAuxClick={follow}>
              {title || asAddress(url)}
            </a>
          ) : (
            <span>{title || "(no title)"}</span>
          )}
        </h3>
        {isLink(url) ? <p class="address">{asAddress(url)}</p> : <p class="address">no address</p>}
        {snippet !== "" && (
          <p class="snippet" dir="auto">
            {snippet}
          </p>
        )}
        {topic !== undefined && topic !== "" && (
          <p class="pill" title={topic}>
            {splitPath(topic).name}
          </p>
        )}
      </div>
    </li>
  )
}

function Moved({ result, order }: { result: Result; order: "mine" | "engine" }) {
  const up = movedUp(result)
  const look = up > 0 ? "moved up" : up < 0 ? "moved down" : "moved"
  const text = up === 0 ? "=" : up > 0 ? `▲${up}` : `▼${-up}`
  return (
    <span class={look} title={sayMoved(result)}>
      <span aria-hidden="true">{order === "mine" || up === 0 ? text : `→${result.rank}`}</span>
      <span class="unseen">{order === "mine" ? sayMoved(result) : `now ${result.rank}`}</span>
    </span>
  )
}
