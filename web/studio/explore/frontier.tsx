import { useRef, useState } from "preact/hooks"
import { asRoundPercent, counted } from "../../shared/format.ts"
import { Panel } from "../../shared/panel.tsx"
import type { Explore } from "../answers.ts"
import { isActive } from "../job-words.ts"
import type { Studio } from "../studio.ts"
import { AdvicePanel } from "./advice-panel.tsx"
import { ComparePoints, isComparison } from "./compare-points.tsx"
import { frontOf, sameValues } from "./front-of.ts"
import { FrontierChart } from "./frontier-chart.tsx"
import { type Method, startForm } from "./option-fields.ts"
import { PointCard } from "./point-card.tsx"
import { type FormState, PointForm } from "./point-form.tsx"
import { toggleCompared } from "./point-order.ts"
import { Legend } from "./point-symbol.tsx"
import { PointTable } from "./point-table.tsx"
import { type FrontierPoint, sayPeople, type UseName } from "./point-words.ts"

/** The points as a chart and a table, the advice, a comparison of two, and a form for one more. */
export function Frontier({ studio, explore }: { studio: Studio; explore: Explore }) {
  const { state } = studio
  const [shownUse, setShownUse] = useState<UseName>()
  const frame = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState<string>()
  const [chosen, setActive] = useState<string>()
  const [marked, setMarked] = useState<readonly string[]>()
  const [form, setForm] = useState<FormState>()
  const use = shownUse ?? explore.use
  const { points, advice, maxRisk, methods } = explore
  const known = (id: string | undefined) => points.find((point) => point.id === id)
  const active = known(chosen)?.id ?? known(advice?.point)?.id ?? points[0]?.id
  const before = studio.jobOf("compare")?.result
  const compared = (marked ?? (isComparison(before) ? before.points : [])).filter((id) => known(id) !== undefined)
  const placed = points.filter(({ risk, uses }) => risk !== undefined && uses[use] !== undefined)
  const front = frontOf(explore, { use, placed })
  const compare = (id: string) => setMarked(toggleCompared(compared, id))
  const isChosen = (point: FrontierPoint | undefined) =>
    point !== undefined &&
    !point.raw &&
    state.choice?.method === point.method &&
    sameValues(state.choice.parameters, point.parameters)
  const marksOf = (point: FrontierPoint) => [
    ...(point.id === advice?.point ? ["recommended"] : []),
    ...(isChosen(point) ? ["in use"] : []),
    ...(front.has(point.id) ? ["on the frontier"] : []),
  ]
  const choose = async ({ method, parameters, name }: FrontierPoint) => {
    try {
      studio.setState(await studio.api.choose(state.project.revision, { method, parameters }))
      studio.say(`${name} will be used.`)
    } catch (error) {
      studio.fail(error)
    }
  }
  const change = ({ method: name, parameters, of }: FrontierPoint) => {
    const method = methods.find((one) => one.name === name)
    if (method === undefined) return
    setForm({ method: name, typed: startForm(method, parameters), of })
    document.querySelector<HTMLElement>("#point-form select")?.focus()
  }
  const card = known(hovered) ?? known(active)
  const show = (id: string) => {
    setActive(id)
    frame.current?.focus()
  }
  return (
    <>
      {state.choice !== null && (
        <div class="notice good">
          <p>
            In use: <strong>{state.choice.name}</strong>
          </p>
          <button type="button" onClick={() => studio.go("preview")}>
            Look at a draft
          </button>
        </div>
      )}
      <AdvicePanel
        explore={explore}
        isPartial={isActive(studio.jobOf("explore"))}
        isChosen={isChosen(known(advice?.point))}
        onUse={choose}
        onShow={show}
      />
      {points.length > 0 && (
        <Panel
          title="Risk and usefulness"
          aside={<UsePicker explore={explore} use={use} onUse={(name) => setShownUse(name)} />}
        >
          <p>
            Higher is more useful, further left is safer. You accept at most {asRoundPercent(maxRisk)}:{" "}
            {sayPeople(maxRisk)}. A point is accepted if its whole line to the right is in the shaded part.
          </p>
          <Legend explore={explore} points={placed} />
          <div class="chart-and-card">
            <FrontierChart
              {...{ explore, use, active, compared, marksOf }}
              points={placed}
              onFront={({ id }) => front.has(id)}
              onHover={setHovered}
              onActive={setActive}
              onCompare={compare}
            />
            <div class="card-frame" ref={frame} tabIndex={-1}>
              <PointCard
                {...{ explore, use }}
                point={card}
                marks={card === undefined ? [] : marksOf(card)}
                isCompared={card !== undefined && compared.includes(card.id)}
                isChosen={isChosen(card)}
                onCompare={compare}
                onUse={choose}
                onChange={change}
              />
            </div>
          </div>
          {placed.length < points.length && (
            <p class="note">
              {counted(points.length - placed.length, "point")} not in the chart: the risk or this use could not be
              measured. The table has all.
            </p>
          )}
          <p class="note">
            Risk is on a cube-root scale, which shows small risks larger. It is what these attacks found, not a bound:
            somebody who knows more may find more.
          </p>
          <h3>The same as a table</h3>
          <PointTable {...{ explore, use, active, compared, marksOf }} onActive={show} onCompare={compare} />
        </Panel>
      )}
      {points.length > 1 && <ComparePoints {...{ studio, explore, use, compared }} onCompare={compare} />}
      {methods.length > 0 && state.purpose !== null && (
        <Panel title="Try a release of your own">
          <PointForm {...{ studio, methods }} form={form ?? firstForm(methods)} onForm={setForm} />
        </Panel>
      )}
    </>
  )
}

function UsePicker({ explore, use, onUse }: { explore: Explore; use: UseName; onUse(use: UseName): void }) {
  const names = Object.keys(explore.uses).filter((name): name is UseName => name in explore.uses)
  return (
    <label class="use-picker">
      Usefulness for
      <select
        value={use}
        onChange={(event) => {
          const chosen = names.find((name) => name === event.currentTarget.value)
          if (chosen !== undefined) onUse(chosen)
        }}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {explore.uses[name]?.keeps}
            {name === explore.use ? " (your purpose)" : ""}
          </option>
        ))}
      </select>
    </label>
  )
}

function firstForm(methods: readonly Method[]): FormState {
  const [method] = methods
  return { method: method?.name ?? "", typed: method === undefined ? {} : startForm(method), of: "sample" }
}
