import { useEffect, useState } from "preact/hooks"
import { asCount } from "../../shared/format.ts"
import { Panel } from "../../shared/panel.tsx"
import type { DraftView } from "../answers.ts"
import { Commands } from "../commands.tsx"
import { JobStatus } from "../job-status.tsx"
import { isActive } from "../job-words.ts"
import { DraftRows } from "../preview/draft-rows.tsx"
import { ExplainBox } from "../preview/explain-box.tsx"
import { sayWithheld } from "../preview/withheld-words.ts"
import { StaleBanner } from "../stale-banner.tsx"
import type { Studio } from "../studio.ts"
import { useStart } from "../use-job.ts"
import "../work.css"
import "./preview.css"

/** A seeded draft: what its reader would see, what was withheld, and why. */
export function PreviewScreen({ studio }: { studio: Studio }) {
  const { state } = studio
  const draft = useDraft(studio)
  return (
    <div class="work preview">
      {state.choice === null ? (
        <div class="notice">
          <p>First choose a release to look at.</p>
          <button type="button" onClick={() => studio.go("explore")}>
            Go to Explore
          </button>
        </div>
      ) : (
        <Make studio={studio} name={state.choice.name} />
      )}
      {draft !== undefined && state.draft !== null && <Draft studio={studio} draft={draft} made={state.draft.at} />}
      {state.choice !== null && <ExplainBox studio={studio} />}
      <Commands lines={state.commands.preview ?? []} />
    </div>
  )
}

/** The draft that is there, asked for again when another was made. */
function useDraft({ api, fail, state }: Studio): DraftView | undefined {
  const [draft, setDraft] = useState<DraftView>()
  const made = state.draft?.at
  const isStale = state.draft?.stale
  useEffect(() => {
    if (made === undefined || isStale === undefined) {
      setDraft(undefined)
      return
    }
    let isNewest = true
    api.draft().then((found) => isNewest && setDraft(found), fail)
    return () => {
      isNewest = false
    }
  }, [api, fail, made, isStale])
  return draft
}

function Make({ studio, name }: { studio: Studio; name: string }) {
  const { start, isStarting } = useStart(studio, "draft")
  const { draft } = studio.state
  const job = studio.jobOf("draft")
  const isBusy = isStarting || isActive(job)
  return (
    <Panel title="Draft: not for publication">
      <p>
        A draft shows what <strong>{name}</strong> would release. It is made from a fixed seed, so anybody could repeat
        its random parts. Keep it here. The release itself is made on Check.
      </p>
      {draft?.stale && <StaleBanner what="The draft" action="Make it again" onAction={() => isBusy || void start()} />}
      {draft?.stale !== true && (
        <div class="actions">
          <button type="button" class={draft === null ? "" : "plain"} disabled={isBusy} onClick={() => void start()}>
            {draft === null ? "Make a draft" : "Make the draft again"}
          </button>
          {draft !== null && (
            <button type="button" onClick={() => studio.go("check")}>
              Continue to Check
            </button>
          )}
        </div>
      )}
      <JobStatus {...{ studio, job }} ended="No draft was made." />
    </Panel>
  )
}

function Draft({ studio, draft, made }: { studio: Studio; draft: DraftView; made: string }) {
  return (
    <>
      {draft.empty && (
        <p class="notice bad" role="alert">
          The draft is empty: nothing of the log may be shown with these settings. Choose others on Explore.
        </p>
      )}
      {draft.warnings.map((warning) => (
        <p class="notice" key={warning}>
          {warning}
        </p>
      ))}
      <div class="draft">
        <p class="draft-label">Draft: not for publication{draft.stale && " (made from earlier settings)"}</p>
        {!draft.empty && <DraftRows {...{ studio, draft, made }} key={made} />}
      </div>
      <Panel title="What was withheld or changed, and why">
        {draft.withheld.length === 0 ? (
          <p>Nothing was withheld.</p>
        ) : (
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">Why</th>
                  <th scope="col" class="number">
                    How many
                  </th>
                </tr>
              </thead>
              <tbody>
                {draft.withheld.map((one) => {
                  const { why, count, unit } = sayWithheld(one)
                  return (
                    <tr key={one.reason}>
                      <th scope="row">
                        {why} <small>{one.reason}</small>
                      </th>
                      <td class="number">
                        {asCount(count)} {unit}
                      </td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
        )}
      </Panel>
      <Panel title="What is promised">
        <p>{draft.statement}</p>
        {draft.notCovered.length > 0 && (
          <>
            <h3>What the promise does not cover</h3>
            <ul class="points-list">
              {draft.notCovered.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </>
        )}
      </Panel>
    </>
  )
}
