import type { Exposed } from "./answers.ts"
import { asRisk } from "./words.ts"

interface MeterProps {
  name: string
  value: number
  /** Where the mark stands: a limit, or what there was without. */
  mark: number
  /** The end of the bar. */
  most: number
  text: string
  look: "risk" | "utility"
}

/** A value as a bar, with a mark. */
function Meter({ name, value, mark, most, text, look }: MeterProps) {
  const at = (value: number) => `${(100 * Math.min(1, Math.max(0, most > 0 ? value / most : 0))).toFixed(2)}%`
  return (
    <div class={`meter ${look}`}>
      <span class="name">{name}</span>
      <span class="value">{text}</span>
      <meter class="unseen" aria-label={name} min={0} max={most} value={value} aria-valuetext={text} />
      <svg width="100%" height="12" aria-hidden="true">
        <rect class="track" y="2" width="100%" height="8" rx="4" />
        <rect class="bar" y="2" width={at(value)} height="8" rx="4" />
        <line class="mark" x1={at(mark)} x2={at(mark)} y1="0" y2="12" />
      </svg>
    </div>
  )
}

/** What the exposure costs and what it gives. */
export function Meters({ exposed }: { exposed: Exposed }) {
  const { risk, delta, sessionRisk, sessionDelta, dp, dpWithout, utility, decision } = exposed
  const isShown = decision === "exposed"
  return (
    <div class="meters">
      <Meter
        name="Risk of this search"
        value={isShown ? risk : 0}
        mark={delta}
        most={roomFor(delta, isShown ? risk : 0)}
        text={`${asRisk(isShown ? risk : 0)} of ${asRisk(delta)}`}
        look="risk"
      />
      <Meter
        name="Risk of the session"
        value={sessionRisk}
        mark={sessionDelta}
        most={roomFor(sessionDelta, sessionRisk)}
        text={`${asRisk(sessionRisk)} of ${asRisk(sessionDelta)}`}
        look="risk"
      />
      <Meter
        name="How clear the query is"
        value={isShown ? dp : dpWithout}
        mark={dpWithout}
        most={Math.max(1, dp, dpWithout)}
        text={
          isShown
            ? `${asRisk(dpWithout)} → ${asRisk(dp)} (+${asRisk(utility)})`
            : `${asRisk(dpWithout)}, by the query alone`
        }
        look="utility"
      />
    </div>
  )
}

/** The limit stands at four fifths of the bar, so that one sees how much room is left and whether it is passed. */
const roomFor = (limit: number, value: number) => Math.min(Math.max(limit * 1.25, value, 0.01), Math.max(1, value))
