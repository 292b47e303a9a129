import type { StreamFigures } from "../../src/stream/live/stream-figures.ts"
import { asBytes, asClock, asCompact, asCount, asDuration, counted } from "../shared/format.ts"
import { type Tile, Tiles } from "../shared/live/tiles.tsx"
import { type Answer, useFigures } from "../shared/live/use-figures.ts"
import { TokenForm } from "../shared/token-form.tsx"
import { extend, type Moment } from "./history.ts"
import { Alarmed, Categories, Delays, Risk, Throughput, Withheld } from "./panels.tsx"
import { Settings } from "./settings.tsx"
import { tokenName } from "./stream-api.ts"

const nameText: Record<StreamFigures["users"], string> = {
  cell: "new names in each cell",
  day: "names last a day",
  pseudonym: "names last for ever",
  drop: "no names",
  keep: "the log's own ids",
}

export function Page() {
  const { token, takeToken, history, answer } = useFigures(tokenName, extend)
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
        {answer?.kind === "refused" && <TokenForm action="Show the figures" onToken={takeToken} />}
        {figures !== undefined && (
          <>
            <Tiles tiles={tilesOf(figures, last)} />
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
function Notices({
  answer,
  figures,
}: {
  answer: Answer<StreamFigures> | undefined
  figures: StreamFigures | undefined
}) {
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

function tilesOf(figures: StreamFigures, moment: Moment | undefined): Tile[] {
  const withheld = Object.values(figures.withheld).reduce((sum, count) => sum + count, 0)
  return [
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
    ...figures.inputs.map(
      ({ input, messages, seconds }): Tile => [
        `Behind in ${input}`,
        asCompact(messages),
        `${messages === 1 ? "message" : "messages"}, ${asDuration(seconds)}`,
      ],
    ),
    ["Memory", asBytes(figures.memory.rss), `heap ${asBytes(figures.memory.heap)}`],
    ["Journal", asBytes(figures.journalBytes), `durable in ${asDuration(figures.commit.p99 / 1000)} (99 %)`],
  ]
}
