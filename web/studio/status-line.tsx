import { asBytes, asRoundPercent } from "../shared/format.ts"
import type { Job, StudioState } from "./answers.ts"
import { isActive } from "./job-words.ts"

interface StatusLineProps {
  said: string
  /** Undefined before the first connection. */
  isConnected: boolean | undefined
  jobs: readonly Job[]
  disk: StudioState["disk"] | undefined
}

/** The last line of the page: what was said last, what runs, and how much room the project takes. */
export function StatusLine({ said, isConnected, jobs, disk }: StatusLineProps) {
  const running = jobs.find(({ state }) => state === "running")
  const waiting = jobs.filter((job) => isActive(job) && job !== running).length
  const share = running?.progress?.share
  return (
    <footer class="status-line">
      <p class="said" role="status">
        {said}
      </p>
      <p>
        {running !== undefined && (
          <span>
            {running.label}
            {share !== undefined && `, ${asRoundPercent(Math.floor(share * 100) / 100)}`}
            {waiting > 0 && `, ${waiting} waiting`}
          </span>
        )}
        {disk !== undefined && <span>The project takes {asBytes(disk.bytes)} of disk</span>}
        {isConnected !== undefined && (
          <span class={isConnected ? "" : "outcome failed"}>{isConnected ? "Connected" : "Not connected"}</span>
        )}
      </p>
    </footer>
  )
}
