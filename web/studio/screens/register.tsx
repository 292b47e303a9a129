import "../release/release-screens.css"
import "./register.css"
import { useState } from "preact/hooks"
import { Panel } from "../../shared/panel.tsx"
import type { RegisterView } from "../answers.ts"
import { Commands } from "../commands.tsx"
import { DeleteProject } from "../register/delete-project.tsx"
import { Overlaps } from "../register/overlaps.tsx"
import { ReleasesTable } from "../register/releases-table.tsx"
import { asAmount, asChance, sayAccount } from "../release/ledger-words.ts"
import { asMinute, concludeRegister } from "../release/release-words.ts"
import { useRegister } from "../release/use-register.ts"
import type { Studio } from "../studio.ts"
import { visible } from "../visible.ts"

/** Past releases, what they cost, where they overlap, and handing out. */
export function RegisterScreen({ studio }: { studio: Studio }) {
  const [register] = useRegister(studio)
  const [kept, setKept] = useState<string>()
  if (kept !== undefined)
    return (
      <div class="release-screen register-screen">
        <p class="lead">The project is deleted.</p>
        <p>
          What was spent and decided is kept in <code>{visible(kept)}</code>. The studio has ended. You can close this
          page.
        </p>
      </div>
    )
  return (
    <div class="release-screen register-screen">
      {register !== undefined && (
        <>
          <p class="lead">{concludeRegister(register)}</p>
          {register.broken.map(({ name, why }) => (
            <p class="notice bad" key={name}>
              <b>“{name}” cannot be read as a release.</b> {why}
            </p>
          ))}
          {register.overlaps.length > 0 && <Overlaps studio={studio} overlaps={register.overlaps} />}
          <ReleasesTable studio={studio} releases={register.releases} />
          <div class="two">
            <Ledger accounts={register.ledger} />
            <Record entries={register.record} />
          </div>
        </>
      )}
      <DeleteProject studio={studio} onDeleted={setKept} />
      <Commands lines={studio.state.commands.register ?? []} />
    </div>
  )
}

function Ledger({ accounts }: { accounts: RegisterView["ledger"] }) {
  return (
    <Panel title="What was spent">
      {accounts.length === 0 && <p>Nothing. No release of this project spent a privacy budget.</p>}
      {accounts.map((account) => {
        const words = sayAccount(account)
        return (
          <section class="account" key={account.log} aria-label={`Log ${account.log.slice(0, 12)}`}>
            <p>
              <b>Privacy budget (ε): {words.loss}.</b> It limits how much can be learned about one person.
            </p>
            <meter min={0} max={1} value={words.lossShare} aria-label={`Privacy budget: ${words.loss}`} />
            <p>
              <b>Chance (δ): {words.chance}.</b> It is the chance that this limit fails for somebody:{" "}
              {asChance(account.deltaSpent)} so far, {asChance(account.deltaBudget)} at most.
            </p>
            <meter min={0} max={1} value={words.chanceShare} aria-label={`Chance: ${words.chance}`} />
            <p class="note">
              {account.releases === 1 ? "One draw" : `${account.releases} draws`} of the log{" "}
              <code>{account.log.length > 20 ? `${account.log.slice(0, 12)}…` : account.log}</code>. What is spent stays
              spent, also for draws that were not published. The first draw fixed the budget of{" "}
              {asAmount(account.budget)}.
            </p>
          </section>
        )
      })}
    </Panel>
  )
}

const fewEntries = 12

function Record({ entries }: { entries: RegisterView["record"] }) {
  const [isAll, showAll] = useState(false)
  const newest = entries.toSorted((a, b) => b.number - a.number)
  return (
    <Panel title="Who did what, and when">
      <p class="note first">Each entry has the fingerprint of the one before, so that an edit shows. Newest first.</p>
      <ol class="record">
        {newest.slice(0, isAll ? undefined : fewEntries).map(({ number, at, says }) => (
          <li key={number} value={number}>
            <span class="number">{number}</span>
            <time dateTime={at}>{asMinute(at)}</time>
            <bdi class="says">{visible(says)}</bdi>
          </li>
        ))}
      </ol>
      {newest.length > fewEntries && !isAll && (
        <p class="actions after">
          <button type="button" class="plain" onClick={() => showAll(true)}>
            Show all {newest.length} entries
          </button>
        </p>
      )}
    </Panel>
  )
}
