import type { Exposed } from "./answers.ts"
import { Clarity } from "./clarity.tsx"
import { Meter } from "./meter.tsx"
import { asBounded, asRisk } from "./words.ts"

/** The costs and gains of the exposure. */
export function Meters({ exposed }: { exposed: Exposed }) {
  const { risk, delta, sessionRisk, sessionDelta, lifetimeRisk, lifetimeDelta } = exposed
  return (
    <div class="meters">
      {risk === null || sessionRisk === null ? (
        <p class="uncounted">
          <b>No risk is counted: nothing in the profile is marked sensitive.</b> Any topic of your profile may be shown.
          Mark topics below, or under <a href="#profile">Profile</a>.
        </p>
      ) : (
        <>
          <RiskMeter name="Risk of this search" risk={risk} bound={delta} />
          <RiskMeter name="Risk of today" risk={sessionRisk} bound={sessionDelta} />
          {lifetimeRisk !== null && <RiskMeter name="Risk of all time" risk={lifetimeRisk} bound={lifetimeDelta} />}
          {(sessionRisk > sessionDelta || (lifetimeRisk ?? 0) > lifetimeDelta) && (
            <p class="note">
              Over the limit: something was shown before it was marked, or before the limit was lowered. Nothing more of
              your profile is shown.
            </p>
          )}
          <QueryMeter exposed={exposed} />
          <details>
            <summary>What risk means</summary>
            <p class="note">
              Risk is how much of what you marked sensitive an engine can guess from the topics that it is shown: 0 is
              nothing, 1 is all of it. The line on each bar is your limit.
            </p>
          </details>
        </>
      )}
      <Clarity exposed={exposed} />
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
      text={bound < 1 ? asBounded(risk, bound) : `${asRisk(risk)}, no limit`}
      look="risk"
    />
  )
}

/** What an engine knows if it keeps queries, and why that is another number. */
function QueryMeter({ exposed: { queryRisk, queryDelta, lifetimeRisk } }: { exposed: Exposed }) {
  if (queryRisk === null) return null
  const isMore = queryRisk > (lifetimeRisk ?? 0) + 0.005
  return (
    <>
      <RiskMeter name="Risk with your queries" risk={queryRisk} bound={queryDelta} />
      {isMore && (
        <p class="note">
          The risks above count what an engine can guess from the topics shown. They leave out the queries, which it
          also reads. This one counts both.
        </p>
      )}
    </>
  )
}

/**
 * The limit is at four fifths of the bar, so that it is visible how much room is left and whether the limit is
 * exceeded.
 */
const roomFor = (limit: number, value: number) => Math.min(Math.max(limit * 1.25, value, 0.01), Math.max(1, value))
