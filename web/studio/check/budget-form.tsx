import { useState } from "preact/hooks"
import { asAmount, asChance, budgetProblem } from "../release/ledger-words.ts"
import type { Studio } from "../studio.ts"

/** Chance that is usual for the limit to fail, over all releases of a log. */
const usualChance = "0.001"

interface BudgetProps {
  studio: Studio
  /** What the release that is to be drawn costs. */
  cost: { epsilon: string; delta: string }
  onDone(): void
}

/** Asks how much all releases of the log together may cost, before the first one is paid. */
export function BudgetForm({ studio, cost, onDone }: BudgetProps) {
  const { api, state, setState, fail, say } = studio
  const [epsilon, setEpsilon] = useState(state.budget?.epsilon ?? "")
  const [delta, setDelta] = useState(state.budget?.delta ?? usualChance)
  const [isSending, setSending] = useState(false)
  const problem = epsilon === "" ? undefined : budgetProblem({ epsilon, delta }, cost)
  const send = async () => {
    setSending(true)
    try {
      setState(await api.budget(state.project.revision, { epsilon: epsilon.trim(), delta: delta.trim() }))
      say("The budget is set.")
      onDone()
    } catch (error) {
      fail(error)
    } finally {
      setSending(false)
    }
  }
  return (
    <form
      class="budget"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <p>
        <b>How much may all releases of this log cost together?</b> This method pays for each release with privacy: the
        more it pays, the more can be learned about one person. What was paid once stays paid. The first release fixes
        the budget, and no release can overspend it.
      </p>
      <label>
        Privacy budget (ε, epsilon)
        <span class="hint" id="budget-hint">
          This release costs {asAmount(cost.epsilon)}. A budget of {asAmount(cost.epsilon)} pays for this one alone,
          twice as much for two like it. A smaller budget protects people better.
        </span>
        <input
          name="epsilon"
          inputMode="decimal"
          autocomplete="off"
          required
          aria-describedby="budget-hint budget-problem"
          value={epsilon}
          onInput={(event) => setEpsilon(event.currentTarget.value)}
        />
      </label>
      <label>
        Chance that the limit fails for somebody (δ, delta)
        <span class="hint" id="chance-hint">
          Over all releases together. {usualChance} is {asChance(usualChance)}. This release takes{" "}
          {asChance(cost.delta)}.
        </span>
        <input
          name="delta"
          inputMode="decimal"
          autocomplete="off"
          required
          aria-describedby="chance-hint budget-problem"
          value={delta}
          onInput={(event) => setDelta(event.currentTarget.value)}
        />
      </label>
      <p class="problem" id="budget-problem" aria-live="polite">
        {problem}
      </p>
      <p class="actions">
        <button type="submit" disabled={isSending || epsilon === "" || problem !== undefined}>
          Set the budget
        </button>
      </p>
    </form>
  )
}
