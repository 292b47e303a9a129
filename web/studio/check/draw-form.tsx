import { useState } from "preact/hooks"
import type { Job, RegisterView } from "../answers.ts"
import { focusHeading } from "../focus-heading.ts"
import { asAmount, asChance, costOf, sayAccount, shortfall } from "../release/ledger-words.ts"
import { nameProblem, suggestName, whyReason } from "../release/release-words.ts"
import { lookAt } from "../release/use-register.ts"
import type { Studio } from "../studio.ts"
import { BudgetForm } from "./budget-form.tsx"

interface DrawProps {
  studio: Studio
  register: RegisterView
  /** Called when the draw is under way. */
  onDraw(job: Job, name: string): void
}

/** Names the release and draws it. Asks for a budget first, and for the reason of a further draw. */
export function DrawForm({ studio, register, onDraw }: DrawProps) {
  const { state } = studio
  const [isChanging, setChanging] = useState(false)
  const cost = costOf(state.choice)
  const isPaid = register.ledger.length > 0
  // With several logs in the ledger, only the server knows which one is read now.
  const [account, ...others] = register.ledger
  const isShort = account !== undefined && others.length === 0 && cost !== undefined && shortfall(account, cost)
  return (
    <div class="draw">
      <p>
        To be released: <b>{state.choice?.name}</b>.{" "}
        {state.draft === null || state.draft.stale
          ? "Nobody has looked at a draft of it yet: see the screen Preview."
          : "It will show other random names, or other noise, than the draft that you looked at."}
      </p>
      {cost !== undefined && (state.budget === null || isChanging) ? (
        <BudgetForm
          studio={studio}
          cost={cost}
          onDone={() => {
            setChanging(false)
            focusHeading()
          }}
        />
      ) : (
        <>
          {cost !== undefined && state.budget !== null && (
            <p>
              <CostText cost={cost} budget={state.budget} />{" "}
              {isPaid ? (
                `So far: ${register.ledger.map((account) => sayAccount(account).loss).join("; ")}.`
              ) : (
                <button type="button" class="plain" onClick={() => setChanging(true)}>
                  Change the budget
                </button>
              )}
            </p>
          )}
          {isShort && <p class="notice bad">{isShort} The draw would be refused.</p>}
          <NameForm studio={studio} register={register} onDraw={onDraw} />
        </>
      )}
    </div>
  )
}

interface CostProps {
  cost: { epsilon: string; delta: string }
  budget: NonNullable<Studio["state"]["budget"]>
}

function CostText({ cost, budget }: CostProps) {
  return (
    <>
      This release costs {asAmount(cost.epsilon)} of the privacy budget of {asAmount(budget.epsilon)} (ε).
      {budget.delta !== undefined &&
        ` It takes ${asChance(cost.delta)} of the chance of ${asChance(budget.delta)} that the limit fails (δ).`}{" "}
      It is paid when it is drawn, and stays paid if the draw fails later.
    </>
  )
}

function NameForm({ studio, register, onDraw }: DrawProps) {
  const { api, state, fail, jobOf } = studio
  const taken = register.releases.map(({ name }) => name)
  const [typed, setTyped] = useState<string>()
  const [reason, setReason] = useState("")
  const [isRefused, setRefused] = useState(false)
  const [isSending, setSending] = useState(false)
  const name = typed ?? suggestName(state.choice?.method ?? "release", new Date().toISOString().slice(0, 10), taken)
  const problem = nameProblem(name, taken)
  const why = whyReason(register.releases.length, jobOf("release"))
  const isMissing = why !== undefined && reason.trim() === ""
  const send = async () => {
    setSending(true)
    try {
      const given = reason.trim() === "" ? {} : { reason: reason.trim() }
      onDraw(await api.start("release", { name, ...given }), lookAt(name))
      focusHeading()
      setTyped(undefined)
      setReason("")
    } catch (error) {
      setRefused(true) // the server may know of a draw that this page does not
      fail(error)
    } finally {
      setSending(false)
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <label>
        Name of the release
        <span class="hint" id="name-hint">
          Its folder in the project gets this name.
        </span>
        <input
          name="name"
          autocomplete="off"
          maxLength={100}
          aria-describedby="name-hint name-problem"
          value={name}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <p class="problem" id="name-problem" aria-live="polite">
        {problem}
      </p>
      {(why !== undefined || isRefused) && (
        <label>
          Why another draw?
          <span class="hint" id="reason-hint">
            {why ?? "Needed if this log was drawn from before."} The reason is written into the project's record.
          </span>
          <textarea
            name="reason"
            maxLength={4000}
            aria-describedby="reason-hint"
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
      )}
      <p>
        The release is drawn once, with fresh randomness. It cannot be drawn again without a reason that is recorded.
        Then it is verified, attacked and measured.
      </p>
      <p class="actions">
        <button type="submit" disabled={isSending || problem !== undefined || isMissing}>
          Draw and check
        </button>
        {isMissing && <span class="hint">Give a reason first.</span>}
      </p>
    </form>
  )
}
