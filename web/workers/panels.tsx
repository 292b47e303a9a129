import type { GroupFigures } from "../../src/stream/workers/group-figures.ts"
import { asCompact, counted } from "../shared/format.ts"
import { Bars } from "../shared/live/bars.tsx"
import { LineChart, type Series } from "../shared/live/line-chart.tsx"
import { Reasons } from "../shared/live/reason-bars.tsx"
import { Panel } from "../shared/panel.tsx"
import type { Moment } from "./history.ts"

const rates: Series<Moment>[] = [
  { name: "in", look: "one", value: ({ figures }) => figures.perSecond.in },
  { name: "out", look: "two", value: ({ figures }) => figures.perSecond.out },
]

export function Throughput({ history }: { history: readonly Moment[] }) {
  return (
    <Panel title="Throughput" aside={<span class="unit">searches per second</span>}>
      <LineChart title="Throughput" history={history} series={rates} format={asCompact} />
    </Panel>
  )
}

const lags: Series<Moment>[] = [
  { name: "to classify", look: "one", value: ({ figures }) => figures.lag.classify },
  { name: "to swap", look: "two", value: ({ figures }) => figures.lag.swap },
]

export function Lag({ history }: { history: readonly Moment[] }) {
  return (
    <Panel title="Behind" aside={<span class="unit">messages that are not done</span>}>
      <LineChart title="Behind" history={history} series={lags} format={asCompact} />
    </Panel>
  )
}

export function Categories({ figures }: { figures: GroupFigures }) {
  const bars = figures.largest.map(({ path, waiting, users, gated }) => ({
    name: path,
    value: waiting,
    text: `${counted(waiting, "record")} of ${counted(users, "user")}`,
    ...(gated && { mark: <span class="pill bad">withheld</span> }),
  }))
  return (
    <Panel title="Largest categories" aside={<span class="unit">waiting records</span>}>
      {bars.length === 0 ? (
        <p class="note">No record is waiting.</p>
      ) : (
        <Bars bars={bars} label="Records waiting by category" />
      )}
    </Panel>
  )
}

export function Withheld({ figures }: { figures: GroupFigures }) {
  return (
    <Panel title="Withheld">
      <Reasons counts={figures.withheld} label="Records withheld by reason" none="Nothing was withheld." />
    </Panel>
  )
}
