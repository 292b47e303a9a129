import { TokenForm } from "../shared/token-form.tsx"
import type { ApiError } from "./api.ts"

interface ProblemProps {
  problem: ApiError | undefined
  onRetry(): void
  onClose(): void
  onToken(token: string): void
}

/** What went wrong, at the top of the page. It is read out when it appears. */
export function Problem({ problem, onRetry, onClose, onToken }: ProblemProps) {
  return (
    <>
      <div class="problems" role="alert">
        {problem?.kind === "refused" && (
          <p class="notice bad">
            <b>The page needs its token.</b> It is part of the address that <code>queryveil studio</code> printed.
          </p>
        )}
        {problem !== undefined && problem.kind !== "refused" && (
          <div class="notice bad with-actions">
            <p>
              {problem.kind === "unreachable" && <b>The studio cannot be reached. </b>}
              {problem.kind === "stale" && <b>Your change was not saved. </b>}
              <bdi>{problem.message}</bdi>
            </p>
            <p class="actions">
              <button type="button" class="plain" onClick={onRetry}>
                {problem.kind === "unreachable" ? "Try again" : "Show the present state"}
              </button>
              {problem.kind === "failed" && (
                <button type="button" class="plain" onClick={onClose}>
                  Close
                </button>
              )}
            </p>
          </div>
        )}
      </div>
      {problem?.kind === "refused" && <TokenForm action="Open the project" onToken={onToken} />}
    </>
  )
}
