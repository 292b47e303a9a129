import { useEffect, useState } from "preact/hooks"
import type { StreamFigures } from "../../src/stream/live/stream-figures.ts"
import { asBytes, asClock, asCompact, asCount, asDuration, counted } from "../shared/format.ts"
import { findToken, keepToken } from "../shared/token.ts"
import { TokenForm } from "../shared/token-form.tsx"
import { extend, type Moment } from "./history.ts"
import { Alarmed, Categories, Delays, Risk, Throughput, Withheld } from "./panels.tsx"
import { Settings } from "./settings.tsx"
import { type Answer, fetchFigures, tokenName } from "./stream-api.ts"

const pace = 1000

const nameText: Record<StreamFigures["users"], string> = {
  cell: "new names in each cell",
  day: "names last a day",
  pseudonym: "names last for ever",
  drop: "no names",
  keep: "the log's own ids",
}

export function Page() {
  const [token, setToken] = useState(() => findToken(tokenName))
  const [history, setHistory] = useState<Moment[]>([])
  const [answer, setAnswer] = useState<Answer>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async () => {
      const given = await fetchFigures(token)
      if (isOver) return
      setAnswer(given)
      if (given.kind === "figures") setHistory((before) => extend(before, given.figures, performance.now()))
      // A page without a valid token stops asking, instead of asking once a second.
      if (given.kind !== "refused") timer = setTimeout(ask, pace)
    }
    void ask()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [token])

  const last = history.at(-1)
  const figures = last?.figures
  return (
    <>
      <header>
        <h1>queryveil stream</h1>
        {figures !== undefined && <Heading figures={figures} isStale={answer?.kind !== "figures"} />}
      </header>
      <main class={answer?.kind === "figures" ? "" : "stale"}>
        <Notices answer={answer} figures={figures} />
        {answer?.kind === "refused" && (
          <TokenForm
            action="Show the figures"
            onToken={(given) => {
              keepToken(tokenName, given)
              setToken(given)
              setAnswer(undefined)
            }}
          />
        )}
        {figures !== undefined && (
          <>
            <Tiles figures={figures} moment={last} />
            <Alarmed risk={figures.risk} />
            <div class="panels">
              <Throughput history={history} />
              <Risk history={history} />
              <Delays history={history} />
              <Categories figures={figures} />
              <div class="stack">
                <Withheld figures={figures} />
                <Settings figures={figures} token={token} />
              </div>
            </div>
          </>
        )}
      </main>
    </>
  )
}

function Heading({ figures, isStale }: { figures: StreamFigures; isStale: boolean }) {
  const { state, k, depth, branches, mode, users, promised, now, startedAt } = figures
  const look = isStale ? "bad" : state === "running" ? "good" : "bad"
  return (
    <p class="heading">
      <span class={`pill ${look}`}>{isStale ? "unreachable" : state}</span>
      <span class={`pill ${promised ? "good" : "bad"}`}>
        {promised ? `promised: at most 1/${k}` : "nothing promised"}
      </span>
      <span>
        k = <b>{k}</b>, depth <b>{branches === undefined ? depth : `auto, up to ${depth}`}</b>, {mode},{" "}
        {nameText[users]}
      </span>
      <span class="quiet">up {asDuration(Math.max(0, now - startedAt) / 1000)}</span>
    </p>
  )
}

/** What an operator must not overlook. Notices inside `alert` are read out when they appear. */
function Notices({ answer, figures }: { answer: Answer | undefined; figures: StreamFigures | undefined }) {
  const risk = figures?.risk
  return (
    <div role="alert">
      {answer?.kind === "unreachable" && (
        <p class="notice bad">
          <b>The stream cannot be reached:</b> {answer.reason}.{" "}
          {figures === undefined ? "Trying again every second." : `The figures below are from ${asClock(figures.now)}.`}
        </p>
      )}
      {answer?.kind === "refused" && (
        <p class="notice bad">
          <b>The stream needs a token.</b> It is in the store's folder. <code>#token=…</code> in the address works too.
        </p>
      )}
      {figures?.state === "full" && (
        <p class="notice bad">
          <b>The disk is full.</b> Nothing is lost. No input is accepted until there is room.
        </p>
      )}
      {figures?.checkpoint.isStalled === true && (
        <p class="notice bad">
          <b>The disk has no room for a checkpoint.</b> The last one is {asDuration(figures.checkpoint.age)} old.
          Nothing is lost. The next one is made when there is room.
        </p>
      )}
      {figures?.state === "blocked" && (
        <p class="notice bad">
          <b>The output accepts nothing.</b> Nothing is lost. No input is accepted until the output accepts releases
          again.
        </p>
      )}
      {figures?.state === "draining" && (
        <p class="notice">
          <b>The stream is draining</b> and accepts no more input.
        </p>
      )}
      {figures?.state === "stopped" && (
        <p class="notice">
          <b>The stream has stopped.</b>
        </p>
      )}
      {figures?.inputs
        .filter(({ alarm }) => alarm)
        .map(({ input, seconds, lost }) => (
          <p class="notice bad" key={input}>
            <b>The stream is too slow for {input}.</b>{" "}
            {lost > 0 && `Messages that were deleted before they were read: ${asCount(lost)}. `}
            It is {asDuration(seconds)} behind, and its topic deletes old messages.
          </p>
        ))}
      {figures?.promised === false && (
        <p class="notice bad">
          <b>Nothing is promised.</b> {figures.reasons.join(" ")}
        </p>
      )}
      {risk !== undefined && (risk.alarm || risk.alarmed.length > 0) && (
        <p class="notice bad">
          <b>Alarm:</b> an attacker names the right user more often than 1/k
          {risk.alarm ? "" : risk.alarmed.length === 1 ? " in one category" : ` in ${risk.alarmed.length} categories`}.
        </p>
      )}
    </div>
  )
}

function Tiles({ figures, moment }: { figures: StreamFigures; moment: Moment | undefined }) {
  const withheld = Object.values(figures.withheld).reduce((sum, count) => sum + count, 0)
  const tiles: [string, string, string?][] = [
    ["In", `${asCompact(moment?.inRate ?? Number.NaN)}/s`, `${counted(figures.taken, "record")} accepted`],
    [
      "Out",
      `${asCompact(moment?.outRate ?? Number.NaN)}/s`,
      `${counted(figures.released, "record")} in ${counted(figures.cells, "cell")}`,
    ],
    [
      "Waiting",
      asCompact(figures.waiting),
      `${figures.waiting === 1 ? "record" : "records"} in ${counted(figures.categories, "category", "categories")}`,
    ],
    ["Withheld", asCompact(withheld), withheld === 1 ? "record" : "records"],
    ...figures.inputs.map(({ input, messages, seconds }): [string, string, string] => [
      `Behind in ${input}`,
      asCompact(messages),
      `${messages === 1 ? "message" : "messages"}, ${asDuration(seconds)}`,
    ]),
    ["Memory", asBytes(figures.memory.rss), `heap ${asBytes(figures.memory.heap)}`],
    ["Journal", asBytes(figures.journalBytes), `durable in ${asDuration(figures.commit.p99 / 1000)} (99 %)`],
  ]
  return (
    <dl class="tiles">
      {tiles.map(([name, value, detail]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <strong>{value}</strong>
            <small>{detail}</small>
          </dd>
        </div>
      ))}
    </dl>
  )
}
