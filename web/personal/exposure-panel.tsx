import { Panel } from "../shared/panel.tsx"
import type { Exposed, State } from "./answers.ts"
import { FindAndMark } from "./find-and-mark.tsx"
import { Meters } from "./meters.tsx"
import type { PersonalProxy } from "./proxy.ts"
import { SeedTree } from "./seed-tree.tsx"
import type { Marking } from "./sensitivity.tsx"
import { asRisk, asShare, sayExposed, splitPath } from "./words.ts"

interface ExposurePanelProps extends Marking {
  proxy: PersonalProxy
  exposed: Exposed | undefined
  /** True if it was shown, not only previewed. */
  isDone: boolean
  /** True if the engine accepts more than the query. */
  takes: boolean
  delta: number
  onDelta(delta: number, isSettled: boolean): void
}

/** What a search shows about the searcher: in words, as meters and as a tree, with the slider that limits it. */
export function ExposurePanel({ proxy, exposed, takes, delta, onDelta, onMark, onNever, ...rest }: ExposurePanelProps) {
  const { state } = proxy
  const isDone = rest.isDone && takes
  const whom = takes ? "the engine" : "an engine"
  return (
    <Panel title={isDone ? "What the engine was shown" : `What ${whom} would be shown`}>
      {exposed !== undefined && <Said exposed={exposed} isDone={rest.isDone} takes={takes} />}
      <DeltaSlider delta={delta} floor={state.floor} onDelta={onDelta} />
      <InFull state={state} delta={delta} />
      {exposed !== undefined && (
        <>
          <Meters exposed={exposed} />
          {exposed.seed.length > 0 ? (
            <>
              <h3>Your profile for this query</h3>
              <SeedTree seed={exposed.seed} never={state.never} isDone={isDone} onMark={onMark} onNever={onNever} />
            </>
          ) : (
            exposed.reason === undefined && <p class="note">Your profile has no topic that this query is about.</p>
          )}
          <FindAndMark proxy={proxy} onMark={onMark} onNever={onNever} />
        </>
      )}
    </Panel>
  )
}

function Said({ exposed, isDone, takes }: { exposed: Exposed; isDone: boolean; takes: boolean }) {
  return (
    <div class="said">
      {exposed.warning !== undefined && (
        <p class="notice warn">
          <b>Careful.</b> {exposed.warning}
        </p>
      )}
      <p class="sentence">{sayExposed(exposed, { isDone, takes })}</p>
      {!takes && (
        <p class="note">
          It accepts no profile, so results are ranked on this machine, by your whole profile. An engine that accepts
          one would be shown what is below.
        </p>
      )}
      {exposed.reason !== undefined && <p class="note">{exposed.reason}</p>}
    </div>
  )
}

/** How many topics are listed by name. */
const few = 3

/** Warns if the limit δ allows single sensitive topics to be shown in full. */
function InFull({ state, delta }: { state: State; delta: number }) {
  const bound = Math.min(delta, state.sessionDelta, state.lifetimeDelta)
  const topics = state.sensitive.length === 0 ? [] : state.inFull.filter(({ share }) => share <= bound)
  if (topics.length === 0) return null
  const names = topics.slice(0, few).map(({ path }) => splitPath(path).name)
  const more = topics.length - names.length
  return (
    <p class="notice warn">
      <b>A limit of {asRisk(bound)} allows one topic in full.</b> {names.join(", ")}
      {more > 0 ? ` and ${more} more are each` : topics.length === 1 ? " is" : " are each"} at most {asShare(bound)} of
      your sensitive weight, so a search may show {topics.length === 1 ? "it" : "any one of them"} word for word. Lower
      the limit, or mark {topics.length === 1 ? "it" : "them"} “Never show”.
    </p>
  )
}

interface DeltaSliderProps {
  delta: number
  floor: number | null
  onDelta(delta: number, isSettled: boolean): void
}

/** Reports δ while the slider is dragged, and once it is released. */
function DeltaSlider({ delta, floor, onDelta }: DeltaSliderProps) {
  return (
    <div class="delta">
      <label class="slider">
        <span>
          Maximum risk of one search (δ) <output>{asRisk(delta)}</output>
        </span>
        <input
          type="range"
          min={0}
          max={1}
          step={0.01}
          value={delta}
          aria-label="Maximum risk of one search (δ)"
          aria-valuetext={asRisk(delta)}
          onInput={(event) => onDelta(Number(event.currentTarget.value), false)}
          onChange={(event) => onDelta(Number(event.currentTarget.value), true)}
        />
      </label>
      <p class="ends" aria-hidden="true">
        <span>show nothing</span>
        <span>show all that helps</span>
      </p>
      {floor !== null && delta < floor && (
        <p class="note">Below {asRisk(floor)} nothing of your profile can be shown.</p>
      )}
    </div>
  )
}
