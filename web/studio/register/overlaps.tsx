import { useState } from "preact/hooks"
import { Panel } from "../../shared/panel.tsx"
import { JobProgress } from "../job-progress.tsx"
import { isActive } from "../job-words.ts"
import type { Overlap } from "../release/release-types.ts"
import { sayOverlap } from "../release/release-words.ts"
import { AttackCard } from "../release/verdicts.tsx"
import type { Studio } from "../studio.ts"
import { isAbout, type OverlapResult, readOverlap } from "./overlap-result.ts"

const fewPairs = 5

/** Warns where releases have the same people, and attacks two of them together. */
export function Overlaps({ studio, overlaps }: { studio: Studio; overlaps: readonly Overlap[] }) {
  const { api, fail, jobOf } = studio
  const [asked, setAsked] = useState<readonly string[]>()
  const [isAll, showAll] = useState(false)
  const [isSending, setSending] = useState(false)
  const job = jobOf("overlap")
  const isBusy = isSending || isActive(job)
  const found = readOverlap(job)
  const attack = async ({ releases: [one = "", other = ""] }: Overlap) => {
    setSending(true)
    setAsked([one, other])
    try {
      await api.start("overlap", { one, other })
    } catch (error) {
      fail(error)
    } finally {
      setSending(false)
    }
  }
  return (
    <Panel title="Releases with the same people">
      <p>
        Two releases of the same people can together show more than each alone. Attack both together before you hand out
        the second.
      </p>
      <ul class="overlaps">
        {overlaps.slice(0, isAll ? undefined : fewPairs).map((overlap) => (
          <li key={overlap.releases.join("\n")}>
            <p class="warning">
              <span>{sayOverlap(overlap)}</span>
              <button
                type="button"
                class="plain"
                disabled={isBusy}
                aria-label={`Attack both together: ${overlap.releases.join(" and ")}`}
                onClick={() => void attack(overlap)}
              >
                Attack both together
              </button>
            </p>
            {found !== undefined && isAbout(found, overlap.releases) && <Found result={found} />}
            {job?.state === "failed" && asked?.join() === overlap.releases.join() && (
              <p class="notice bad">The attack could not be made. {job.error?.message}</p>
            )}
          </li>
        ))}
      </ul>
      {overlaps.length > fewPairs && !isAll && (
        <p class="actions after">
          <button type="button" class="plain" onClick={() => showAll(true)}>
            Show all {overlaps.length} pairs
          </button>
        </p>
      )}
      {job !== undefined && isActive(job) && (
        <JobProgress job={job} onCancel={() => void api.cancel(job.id).catch(fail)} />
      )}
    </Panel>
  )
}

function Found({ result: { verdict, skipped } }: { result: OverlapResult }) {
  if (verdict === undefined || verdict.state === "not attacked")
    return <p class="notice">Both together could not be attacked{skipped === undefined ? "." : `: ${skipped}.`}</p>
  return <AttackCard attacks={verdict} title="Both together" />
}
