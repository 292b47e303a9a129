import { useState } from "preact/hooks"
import { DemoFrame } from "../parts/demo-frame.tsx"
import { Slider } from "../parts/slider.tsx"
import { useOwnId } from "../parts/use-own-id.ts"
import { FrontierChart } from "./frontier-chart.tsx"
import { FrontierTable } from "./frontier-table.tsx"
import { PointSymbol } from "./point-symbol.tsx"
import {
  asPercent,
  type FrontierPoint,
  frontier,
  isAccepted,
  methods,
  placePoints,
  sayAttacker,
  sayGain,
  sayUse,
  type UseName,
  useNames,
  uses,
} from "./points.ts"

/** The risks that can be accepted. */
const risks = [0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1] as const

/** Risk against usefulness of the releases of one log. */
export function FrontierDemo() {
  const [use, setUse] = useState<UseName>("suggestions")
  const [riskAt, setRisk] = useState(risks.indexOf(0.1))
  const [active, setActive] = useState<string>()
  const id = useOwnId()
  const maxRisk = risks[riskAt] ?? 1
  const placed = placePoints(frontier.points, use)
  const missing = frontier.points.filter(({ uses: found }) => found[use] === undefined)
  const point = frontier.points.find((one) => one.id === active)
  const accepted = frontier.points.filter((one) => isAccepted(one, maxRisk)).length
  return (
    <DemoFrame
      title="Risk against usefulness of the releases of one log"
      source={
        <>
          Recorded from a real run:{" "}
          {frontier.commands.map((command) => (
            <code key={command}>{command}</code>
          ))}
        </>
      }
    >
      <div class="qv-controls">
        <div class="qv-select">
          <label for={id}>Usefulness for</label>
          <select id={id} value={use} onChange={(event) => setUse(useOf(event.currentTarget.value))}>
            {useNames.map((name) => (
              <option key={name} value={name}>
                {uses[name].title}
              </option>
            ))}
          </select>
        </div>
        <Slider
          label="Risk that you accept"
          shown={asPercent(maxRisk)}
          min={0}
          max={risks.length - 1}
          value={riskAt}
          onChange={setRisk}
        />
      </div>
      <p class="qv-says" role="status">
        {accepted} of {frontier.points.length} releases are within it: their risk is at most {asPercent(maxRisk)}, also
        at the upper end of its interval.
      </p>
      <FrontierChart {...{ placed, use, maxRisk, active }} onActive={setActive} />
      <ul class="qv-legend">
        {methods.map((method) => (
          <li key={method}>
            <svg width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true">
              <PointSymbol method={method} />
            </svg>
            {method}
          </li>
        ))}
        <li>
          <svg width="22" height="22" viewBox="-11 -11 22 22" aria-hidden="true">
            <circle class="qv-ring" r="10" />
          </svg>
          ringed: no other is better in both
        </li>
      </ul>
      <Card point={point} use={use} maxRisk={maxRisk} />
      {missing.length > 0 && (
        <p class="qv-note">Not in the chart, because it has no value for this use: {missing.map(nameOf).join("; ")}.</p>
      )}
      <FrontierTable {...{ use, maxRisk, active }} points={frontier.points} onActive={setActive} />
      <p class="qv-note">
        The risk is how much better than a guess the strongest attack does: 0 is a guess, 1 is always right. It says
        what these attacks found, and does not limit other attacks. The log is synthetic: the chart shows which release
        is better on this log, not how good a release of your log will be.
      </p>
    </DemoFrame>
  )
}

const nameOf = ({ id }: FrontierPoint) => id
const useOf = (name: string): UseName => useNames.find((one) => one === name) ?? "suggestions"

function Card({ point, use, maxRisk }: { point: FrontierPoint | undefined; use: UseName; maxRisk: number }) {
  if (point === undefined) return <p class="qv-says qv-card">Choose a point or a row to see its details.</p>
  const { risk } = point
  return (
    <p class="qv-says qv-card" aria-live="polite">
      <b>{point.id}</b>. Risk {sayGain(risk.value)} (at most {sayGain(risk.high)}),{" "}
      {isAccepted(point, maxRisk) ? "within what you accept" : "more than you accept"}. {sayAttacker(point)}{" "}
      {sentence(uses[use].title)}: {sayUse(use, point.uses[use])}. Searches kept: {sayUse("events", point.uses.events)}.
    </p>
  )
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
