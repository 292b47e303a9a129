import type { Step, StepStatus } from "./steps.ts"
import type { ScreenName } from "./studio.ts"

const words: Record<StepStatus, string> = {
  done: "done",
  stale: "made from earlier settings",
  open: "to do",
  closed: "not reachable yet",
}

const signs: Partial<Record<StepStatus, string>> = { done: "✓", stale: "!" }

/** The eight steps, with what is done, what is stale and what must wait. */
export function StepNavigation({ steps, screen }: { steps: readonly Step[]; screen: ScreenName }) {
  return (
    <nav class="steps" aria-label="Steps">
      <ol>
        {steps.map(({ screen: name, title, status }, i) => {
          const content = (
            <>
              <span class="number" aria-hidden="true">
                {signs[status] ?? i + 1}
              </span>
              {title}
              {name !== "register" && <span class="unseen">, {words[status]}</span>}
            </>
          )
          const isCurrent = name === screen && { "aria-current": "step" as const }
          return (
            <li key={name} class={status}>
              {status === "closed" ? (
                <span class="step" {...isCurrent}>
                  {content}
                </span>
              ) : (
                <a class="step" href={`#${name}`} {...isCurrent}>
                  {content}
                </a>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
