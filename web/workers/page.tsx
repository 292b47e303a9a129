import type { GroupFigures } from "../../src/stream/workers/group-figures.ts"
import { asClock, asCompact, asDuration, counted } from "../shared/format.ts"
import { type Tile, Tiles } from "../shared/live/tiles.tsx"
import { type Answer, useFigures } from "../shared/live/use-figures.ts"
import { TokenForm } from "../shared/token-form.tsx"
import { extend } from "./history.ts"
import { Categories, Lag, Throughput, Withheld } from "./panels.tsx"
import { Partitions, Risks, Workers } from "./tables.tsx"

/** The storage key under which a tab keeps the token. */
const tokenName = "queryveil-workers-token"

export function Page() {
  const { takeToken, history, answer } = useFigures(tokenName, extend)
  const figures = history.at(-1)?.figures
  return (
    <>
      <header>
        <h1>queryveil workers</h1>
        {figures !== undefined && <Heading figures={figures} isStale={answer?.kind !== "figures"} />}
      </header>
      <main class={answer?.kind === "figures" ? "" : "stale"}>
        <Notices answer={answer} figures={figures} />
        {answer?.kind === "refused" && <TokenForm action="Show the figures" onToken={takeToken} />}
        {figures !== undefined && (
          <>
            <Tiles tiles={tilesOf(figures)} />
            <Partitions figures={figures} />
            <div class="panels">
              <Throughput history={history} />
              <Lag history={history} />
              <Workers figures={figures} />
              <Risks figures={figures} />
              <Categories figures={figures} />
              <Withheld figures={figures} />
            </div>
          </>
        )}
      </main>
    </>
  )
}

const without = ({ partitions }: GroupFigures) => partitions.filter(({ worker }) => worker === null)
const silent = ({ workers }: GroupFigures) => workers.filter(({ isSilent }) => isSilent)

/** k in words. Partitions differ while a change reaches them. */
const kOf = ({ k }: GroupFigures) => (k.length === 0 ? "–" : k.join(", "))

function Heading({ figures, isStale }: { figures: GroupFigures; isStale: boolean }) {
  const { group, promised, k } = figures
  const idle = without(figures).length
  const state = isStale ? "unreachable" : idle > 0 ? "partitions without a worker" : "all partitions have a worker"
  return (
    <p class="heading">
      <span class={`pill ${isStale || idle > 0 ? "bad" : "good"}`}>{state}</span>
      {promised !== null && (
        <span class={`pill ${promised ? "good" : "bad"}`}>
          {promised ? `promised: at most 1/${Math.min(...k)}` : "nothing promised"}
        </span>
      )}
      <span>
        group <b>{group}</b>, k = <b>{kOf(figures)}</b>
      </span>
    </p>
  )
}

/** What an operator must not overlook. Notices inside `alert` are read out when they appear. */
function Notices({ answer, figures }: { answer: Answer<GroupFigures> | undefined; figures: GroupFigures | undefined }) {
  return (
    <div role="alert">
      {answer?.kind === "unreachable" && (
        <p class="notice bad">
          <b>stream watch cannot be reached:</b> {answer.reason}.{" "}
          {figures === undefined ? "Trying again every second." : `The figures below are from ${asClock(figures.now)}.`}
        </p>
      )}
      {answer?.kind === "refused" && (
        <p class="notice bad">
          <b>The page needs a token.</b> It is in the file that <code>--admin-token-file</code> names.{" "}
          <code>#token=…</code> in the address works too.
        </p>
      )}
      {figures !== undefined && <GroupNotices figures={figures} />}
    </div>
  )
}

function GroupNotices({ figures }: { figures: GroupFigures }) {
  const idle = without(figures)
  const quiet = silent(figures)
  return (
    <>
      {idle.length > 0 && (
        <p class="notice bad">
          <b>{counted(idle.length, "partition")} without a worker.</b> Nothing is lost, but what is in them waits. Start
          a worker, or look why one does not report.
        </p>
      )}
      {quiet.length > 0 && (
        <p class="notice bad">
          <b>{counted(quiet.length, "worker")} silent.</b>{" "}
          {quiet.some(({ role }) => role !== "profiles") &&
            "Others take the partitions of classifiers and swappers over. "}
          {quiet.some(({ role }) => role === "profiles") && "Profiles wait for stream profiles follow. "}
          Silent for {quiet.map(({ silentSeconds }) => asDuration(Math.round(silentSeconds))).join(", ")}.
        </p>
      )}
      {figures.promised === false && (
        <p class="notice bad">
          <b>Nothing is promised.</b> {figures.reasons.join(" ")}
        </p>
      )}
      {figures.k.length > 1 && (
        <p class="notice">
          <b>k changes:</b> partitions have {figures.k.join(" and ")}. Each takes a change at its place in the searches.
        </p>
      )}
    </>
  )
}

function tilesOf(figures: GroupFigures): Tile[] {
  const { perSecond, released, cells, waiting, lag, workers } = figures
  const withheld = Object.values(figures.withheld).reduce((sum, count) => sum + count, 0)
  const present = workers.filter(({ isSilent }) => !isSilent)
  const numberOf = (wanted: string) => present.filter(({ role }) => role === wanted).length
  const followers = numberOf("profiles")
  const toCount = lag.profiles === null ? "" : `; ${asCompact(lag.profiles)} to count`
  return [
    ["In", `${asCompact(perSecond.in)}/s`, "messages read by classifiers"],
    ["Out", `${asCompact(perSecond.out)}/s`, `${counted(released, "record")} in ${counted(cells, "cell")}`],
    ["Waiting", asCompact(waiting), "records"],
    ["Withheld", asCompact(withheld), "records"],
    ["Behind", asCompact(lag.classify), `messages to classify; ${asCompact(lag.swap)} to swap${toCount}`],
    [
      "Workers",
      String(present.length),
      [
        counted(numberOf("classify"), "classifier"),
        counted(numberOf("swap"), "swapper"),
        ...(followers > 0 ? [`${followers} for profiles`] : []),
      ].join(", "),
    ],
  ]
}
