import { useEffect, useState } from "preact/hooks"
import { counted } from "../../shared/format.ts"
import { Panel } from "../../shared/panel.tsx"
import type { Explore } from "../answers.ts"
import { Commands } from "../commands.tsx"
import { Frontier } from "../explore/frontier.tsx"
import { JobStatus } from "../job-status.tsx"
import { isActive } from "../job-words.ts"
import { StaleBanner } from "../stale-banner.tsx"
import type { Studio } from "../studio.ts"
import { useStart } from "../use-job.ts"
import "../work.css"
import "./explore.css"

/** The frontier: which release costs how much risk for how much use, and the choice of one. */
export function ExploreScreen({ studio }: { studio: Studio }) {
  const { state } = studio
  const explore = useExplore(studio)
  return (
    <div class="work explore">
      {state.purpose === null ? (
        <div class="notice">
          <p>First say what the release is for, and which risk you accept.</p>
          <button type="button" onClick={() => studio.go("purpose")}>
            Go to Purpose
          </button>
        </div>
      ) : (
        <Compute studio={studio} />
      )}
      {explore !== undefined && <Frontier studio={studio} explore={explore} />}
      <Commands lines={state.commands.explore ?? []} />
    </div>
  )
}

/** The points so far. They are asked for again when the server says that there are more. */
function useExplore({ api, fail, changes, state }: Studio): Explore | undefined {
  const [explore, setExplore] = useState<Explore>()
  const { revision } = state.project
  const isReady = state.purpose !== null
  useEffect(() => {
    if (!isReady) return
    let isNewest = true
    api.explore().then((found) => isNewest && setExplore(found), fail)
    return () => {
      isNewest = false
    }
  }, [api, fail, changes.points, revision, isReady])
  return explore
}

/** Starts the computation of the coarse frontier: on a sample first, then on the whole log. */
function Compute({ studio }: { studio: Studio }) {
  const { start, isStarting } = useStart(studio, "explore")
  const { sample, whole, points } = studio.state.explore
  const job = studio.jobOf("explore")
  const isBusy = isStarting || isActive(job)
  const stale = (["sample", "whole"] as const).filter((of) => studio.state.explore[of]?.stale)
  return (
    <Panel title="Try releases">
      <p>
        {isActive(job)
          ? `${counted(points, "release")} tried so far. More appear while they are made.`
          : points === 0
            ? "Nothing was tried yet. Each point is a release that is made, checked, attacked and measured. " +
              "Start with a sample, which is fast."
            : `${counted(points, "release")} tried. ${next(sample !== null, whole !== null)}`}
      </p>
      {stale.map((of) => (
        <StaleBanner
          key={of}
          what={of === "sample" ? "The points on the sample" : "The points on the whole log"}
          action="Compute them again"
          onAction={() => void start({ of })}
        />
      ))}
      <div class="actions">
        <button
          type="button"
          class={sample === null ? "" : "plain"}
          disabled={isBusy}
          onClick={() => void start({ of: "sample" })}
        >
          Try on a sample
        </button>
        <button
          type="button"
          class={sample !== null && whole === null ? "" : "plain"}
          disabled={isBusy}
          onClick={() => void start({ of: "whole" })}
        >
          Try on the whole log
        </button>
      </div>
      <JobStatus {...{ studio, job }} ended="Points that were finished are kept." />
    </Panel>
  )
}

function next(hasSample: boolean, hasWhole: boolean): string {
  if (hasWhole) return "The whole log was tried: its numbers count."
  return hasSample ? "A sample hides details. Try the whole log before you decide." : ""
}
