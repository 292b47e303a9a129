import type { Exposed } from "./answers.ts"
import { asBounded, asRisk } from "./words.ts"

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
  const { risk, delta, sessionRisk, sessionDelta, lifetimeRisk, lifetimeDelta, dp, dpWithout, utility } = exposed
  const isShown = exposed.decision === "exposed"
  return (
    <div class="meters">
      {risk === null || sessionRisk === null ? (
        <p class="uncounted">
          <b>No risk is counted: nothing is marked sensitive.</b> Any topic of your profile may be shown. Mark topics
          below, or under <a href="#profile">Profile</a>.
        </p>
      ) : (
        <>
          <RiskMeter name="Risk of this search" risk={risk} bound={delta} />
          <RiskMeter name="Risk of today" risk={sessionRisk} bound={sessionDelta} />
          {lifetimeRisk !== null && <RiskMeter name="Risk of all time" risk={lifetimeRisk} bound={lifetimeDelta} />}
          <QueryMeter exposed={exposed} />
        </>
      )}
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

function RiskMeter({ name, risk, bound }: { name: string; risk: number; bound: number }) {
  return (
    <Meter
      name={name}
      value={risk}
      mark={bound}
      most={roomFor(bound, risk)}
      text={bound < 1 ? asBounded(risk, bound) : `${asRisk(risk)}, no bound`}
      look="risk"
    />
  )
}

/** What an engine knows that keeps queries, and why that is another number. */
function QueryMeter({ exposed: { queryRisk, queryDelta, lifetimeRisk } }: { exposed: Exposed }) {
  if (queryRisk === null) return null
  const isMore = queryRisk > (lifetimeRisk ?? 0) + 0.005
  return (
    <>
      <RiskMeter name="With what your queries told" risk={queryRisk} bound={queryDelta} />
      {isMore && (
        <p class="note">
          The risks above count what the topics shown let an engine guess. They leave out the queries, which it reads
          too. This one counts both.
        </p>
      )}
    </>
  )
}

/** The limit stands at four fifths of the bar, so that one sees how much room is left and whether it is passed. */
const roomFor = (limit: number, value: number) => Math.min(Math.max(limit * 1.25, value, 0.01), Math.max(1, value))
