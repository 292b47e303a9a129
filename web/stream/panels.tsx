import type { RiskFigures, StreamFigures } from "../../src/stream/live/stream-figures.ts"
import { asClock, asCompact, asCount, asDuration, asPercent, asRoundPercent, counted } from "../shared/format.ts"
import { Bars } from "../shared/live/bars.tsx"
import { LineChart, type Series } from "../shared/live/line-chart.tsx"
import { Reasons } from "../shared/live/reason-bars.tsx"
import { Panel } from "../shared/panel.tsx"
import type { Moment } from "./history.ts"

const rates: Series<Moment>[] = [
  { name: "in", look: "one", value: ({ inRate }) => inRate },
  { name: "out", look: "two", value: ({ outRate }) => outRate },
]

export function Throughput({ history }: { history: readonly Moment[] }) {
  return (
    <Panel title="Throughput" aside={<span class="unit">records per second</span>}>
      <LineChart title="Throughput" history={history} series={rates} format={asCompact} />
    </Panel>
  )
}

const delays = (unit: "records" | "seconds"): Series<Moment>[] => [
  { name: "median", look: "one", value: ({ figures }) => figures.delay[unit].p50 },
  { name: "99 %", look: "two", value: ({ figures }) => figures.delay[unit].p99 },
]
const recordDelays = delays("records")
const secondDelays = delays("seconds")

export function Delays({ history }: { history: readonly Moment[] }) {
  return (
    <>
      <Panel title="Delay in time" aside={<span class="unit">from arrival to release</span>}>
        <LineChart
          title="Delay in time"
          history={history}
          series={secondDelays}
          format={asDuration}
          scale="durations"
        />
      </Panel>
      <Panel title="Delay in records" aside={<span class="unit">that arrived meanwhile</span>}>
        <LineChart title="Delay in records" history={history} series={recordDelays} format={asCompact} scale="log" />
      </Panel>
    </>
  )
}

const risks: Series<Moment>[] = [
  { name: "named correctly", look: "one", value: ({ figures }) => figures.risk?.share ?? Number.NaN },
  { name: "at least", look: "two", value: ({ figures }) => figures.risk?.lower ?? Number.NaN },
  { name: "promise 1/k", look: "bound", value: ({ figures }) => figures.risk?.promise ?? Number.NaN },
]

export function Risk({ history }: { history: readonly Moment[] }) {
  const { risk, promised, reasons } = history.at(-1)?.figures ?? {}
  return (
    <Panel title="Linkage risk" aside={<RiskState risk={risk} />}>
      <LineChart
        title="Linkage risk"
        history={history}
        series={risks}
        format={asPercent}
        formatTick={asRoundPercent}
        least={(risk?.promise ?? 0.1) * 1.4}
      />
      {risk === undefined ? (
        <p class="note">The risk is assessed when enough records have been released.</p>
      ) : (
        <p class="note">
          The best attacker, <b>{risk.attacker}</b>, named the right user for {asPercent(risk.share)} of{" "}
          {counted(risk.named, "record")}: at least {asPercent(risk.lower)} with 99.9 % confidence. Assessed at{" "}
          {asClock(risk.at)} on {counted(risk.releases, "released record")}.
        </p>
      )}
      {risk !== undefined && isAboveByChance(risk) && (
        <p class="note">
          <b>Why “within the promise”:</b> chance can explain why the estimate, {asPercent(risk.share)}, is above the
          promised {asPercent(risk.promise)}. An attacker who is right exactly as often as promised is above it about
          half of the time. The alarm is raised when even the lower end, {asPercent(risk.lower)}, is above the promise.
        </p>
      )}
      {promised === true && <p class="note">Promised: {reasons?.join(" ")}</p>}
    </Panel>
  )
}

function RiskState({ risk }: { risk: RiskFigures | undefined }) {
  if (risk === undefined) return <span class="pill">not assessed yet</span>
  if (risk.alarm) return <span class="pill bad">above the promise</span>
  if (risk.alarmed.length > 0) return <span class="pill bad">above it in some categories</span>
  return <span class={isAboveByChance(risk) ? "pill" : "pill good"}>within the promise</span>
}

/** True if the estimate is above the promise, but no lower bound is. */
const isAboveByChance = ({ share, promise, alarm, alarmed }: RiskFigures) =>
  share > promise && !alarm && alarmed.length === 0

/** Shows nothing if no category is over the promise. */
export function Alarmed({ risk }: { risk: RiskFigures | undefined }) {
  if (risk === undefined || risk.alarmed.length === 0) return null
  return (
    <Panel title="Categories above the promise" aside={<span class="unit">promised: {asPercent(risk.promise)}</span>}>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Category</th>
              <th scope="col">Named</th>
              <th scope="col">Correctly</th>
              <th scope="col">At least</th>
            </tr>
          </thead>
          <tbody>
            {risk.alarmed.map(({ path, named, share, lower }) => (
              <tr key={path}>
                <th scope="row">{path}</th>
                <td>{asCount(named)}</td>
                <td>{asPercent(share)}</td>
                <td>{asPercent(lower)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

export function Categories({ figures }: { figures: StreamFigures }) {
  const bars = figures.largest.map(({ path, waiting, users, gated }) => ({
    name: path,
    value: waiting,
    text: `${counted(waiting, "record")} of ${counted(users, "user")}`,
    ...(gated && { mark: <span class="pill bad">withheld</span> }),
  }))
  const aside = (
    <span class="unit">waiting records; {counted(figures.categories, "category", "categories")} in all</span>
  )
  return (
    <Panel title="Largest categories" aside={aside}>
      {bars.length === 0 ? (
        <p class="note">No record is waiting.</p>
      ) : (
        <Bars bars={bars} label="Records waiting by category" />
      )}
    </Panel>
  )
}

export function Withheld({ figures }: { figures: StreamFigures }) {
  return (
    <Panel title="What is not released">
      <h3>Withheld</h3>
      <Reasons counts={figures.withheld} label="Records withheld by reason" none="Nothing was withheld." />
      <h3>Rejected lines</h3>
      <Reasons counts={figures.rejected} label="Lines rejected by reason" none="No line was rejected." />
    </Panel>
  )
}
