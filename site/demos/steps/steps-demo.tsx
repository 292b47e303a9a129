import { useState } from "preact/hooks"
import { DemoFrame } from "../parts/demo-frame.tsx"
import { useOwnId } from "../parts/use-own-id.ts"
import type { RecordedStep, Recording } from "./recording.ts"
import { stepFor } from "./step-for.ts"
import { StepTableView } from "./step-table.tsx"

/** The steps of a recorded run, one at a time. */
export function StepsDemo({ recording }: { recording: Recording }) {
  const [at, setAt] = useState(0)
  const { title, commands, steps } = recording
  const step = steps[at]
  const turn = (event: KeyboardEvent) => {
    const to = stepFor(event.key, { at, steps: steps.length })
    if (to === undefined) return
    event.preventDefault()
    setAt(to)
  }
  return (
    <DemoFrame
      title={title}
      source={
        <>
          Recorded from a real run:{" "}
          {commands.map((command) => (
            <code key={command}>{command}</code>
          ))}
        </>
      }
    >
      <fieldset class="qv-steps" aria-label="Steps. The arrow keys go from one to the next." onKeyDown={turn}>
        <div class="qv-buttons">
          <button type="button" disabled={at === 0} onClick={() => setAt(at - 1)}>
            Previous
          </button>
          <button type="button" disabled={at === steps.length - 1} onClick={() => setAt(at + 1)}>
            Next
          </button>
          <ol class="qv-dots">
            {steps.map(({ title: name }, i) => (
              <li key={name}>
                <button
                  type="button"
                  aria-label={`Step ${i + 1}: ${name}`}
                  aria-current={i === at ? "step" : undefined}
                  onClick={() => setAt(i)}
                >
                  {i + 1}
                </button>
              </li>
            ))}
          </ol>
        </div>
        {step && <StepView step={step} at={at} of={steps.length} />}
      </fieldset>
    </DemoFrame>
  )
}

function StepView({ step, at, of }: { step: RecordedStep; at: number; of: number }) {
  const id = useOwnId()
  return (
    <section class="qv-step" aria-labelledby={id} aria-live="polite">
      <h4 id={id}>
        <span class="qv-quiet">
          Step {at + 1} of {of}
        </span>{" "}
        {step.title}
      </h4>
      {step.says.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {step.table && <StepTableView table={step.table} name={step.title} />}
    </section>
  )
}
