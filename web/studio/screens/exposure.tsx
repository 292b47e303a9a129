import { useEffect, useState } from "preact/hooks"
import { counted } from "../../shared/format.ts"
import { Panel } from "../../shared/panel.tsx"
import type { Exposure } from "../answers.ts"
import { Commands } from "../commands.tsx"
import { isInspection } from "../exposure/inspection.ts"
import { InspectionView } from "../exposure/inspection-view.tsx"
import { Samples } from "../exposure/sample-table.tsx"
import { JobProgress } from "../job-progress.tsx"
import { isActive } from "../job-words.ts"
import { personsCounted } from "../log/person-words.ts"
import { StaleBanner } from "../stale-banner.tsx"
import type { Studio } from "../studio.ts"
import "./exposure.css"

/** What the log exposes, and which queries are exempt from being withheld. */
export function ExposureScreen({ studio }: { studio: Studio }) {
  const { api, state, fail } = studio
  const [exposure, setExposure] = useState<Exposure>()
  const job = studio.jobOf("inspect")
  const made = state.exposure?.at
  useEffect(() => {
    let isOver = false
    if (made === undefined) return
    api.exposure().then(
      (found) => isOver || setExposure(found),
      (error) => isOver || fail(error),
    )
    return () => {
      isOver = true
    }
  }, [api, fail, made])
  const inspect = () => void api.start("inspect").then(studio.reload, fail)
  const isBusy = isActive(job)
  return (
    <div class="stack exposure-screen">
      {job !== undefined && job.state !== "done" && (
        <JobProgress job={job} onCancel={() => void api.cancel(job.id).catch(fail)} />
      )}
      {state.exposure === null && !isBusy && (
        <div class="panel">
          <p>
            queryveil counts which queries only one person issued, and looks for e-mail addresses, telephone numbers and
            other identifiers. It takes about as long as reading the log.
          </p>
          <p class="actions">
            <button type="button" onClick={inspect}>
              Inspect the log
            </button>
          </p>
        </div>
      )}
      {state.exposure?.stale === true && !isBusy && (
        <StaleBanner what="What is shown below" action="Inspect the log again" onAction={inspect} />
      )}
      {exposure !== undefined && state.exposure !== null && (
        <Shown studio={studio} exposure={exposure} onExposure={setExposure} />
      )}
      <Commands lines={state.commands.exposure ?? []} />
    </div>
  )
}

interface ShownProps {
  studio: Studio
  exposure: Exposure
  onExposure(change: (exposure: Exposure | undefined) => Exposure | undefined): void
}

function Shown({ studio, exposure, onExposure }: ShownProps) {
  const { api, state, fail } = studio
  const [isBusy, setBusy] = useState(false)
  const { sentence, inspection, kinds, clearFrom } = exposure
  // A button that is pressed stays enabled, or it would lose the focus.
  const during = async (work: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    try {
      await work()
    } catch (error) {
      fail(error)
    }
    setBusy(false)
  }
  const unmask = (id: number) =>
    during(async () => {
      const { samples } = await api.unmask([id])
      const texts = new Map(samples.map((sample) => [sample.id, sample.text]))
      onExposure((before) => before && withSamples(before, (sample) => withText(sample, texts.get(sample.id))))
      studio.say("The text is shown, and the project's record says so.")
    })
  const exempt = (id: number, isExempt: boolean) =>
    during(async () => {
      const change = isExempt ? { add: [id], remove: [] } : { add: [], remove: [id] }
      studio.setState(await api.exempt(state.project.revision, change))
      onExposure(
        (before) =>
          before && withSamples(before, (sample) => (sample.id === id ? { ...sample, exempt: isExempt } : sample)),
      )
      studio.say(isExempt ? "The query is exempt." : "The query is not exempt any more.")
    })
  return (
    <>
      <div class="panel">
        <p class="lead">{sentence}</p>
        <p class="note">This describes the log. It is private, as the log is.</p>
      </div>
      {isInspection(inspection) && (
        <InspectionView
          inspection={inspection}
          people={state.log === null ? "people" : personsCounted(state.log.person)}
        />
      )}
      <Panel
        title="Queries with an identifier"
        aside={<span class="pill">{counted(state.exempt, "query is exempt", "queries are exempt")}</span>}
      >
        <p>
          A release withholds these queries. Exempt a query if it only looks like an identifier, such as the number of a
          part. A release may then show it, if its method would.
        </p>
        <p class="note">
          Queries of at least {clearFrom} people are shown in clear. Of others you see the shape: each digit is a #,
          each word is •••. To decide about one, show its text first; the project records that you did.
        </p>
        {kinds.length === 0 ? (
          <p>No identifier was found. Detectors miss some.</p>
        ) : (
          kinds.map((kind) => (
            <Samples
              key={kind.kind}
              kind={kind}
              onUnmask={(id) => void unmask(id)}
              onExempt={(id, isExempt) => void exempt(id, isExempt)}
            />
          ))
        )}
      </Panel>
      <p class="actions">
        <button type="button" onClick={() => studio.go("purpose")}>
          Continue to Purpose
        </button>
      </p>
    </>
  )
}

type Sample = Exposure["kinds"][number]["samples"][number]

/** An exposure after a change of its samples. A query can be a sample of several kinds. */
function withSamples(exposure: Exposure, change: (sample: Sample) => Sample): Exposure {
  return { ...exposure, kinds: exposure.kinds.map((kind) => ({ ...kind, samples: kind.samples.map(change) })) }
}

const withText = (sample: Sample, text: string | undefined) => (text === undefined ? sample : { ...sample, text })
