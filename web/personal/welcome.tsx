import type { State } from "./answers.ts"
import { counted } from "./words.ts"

/** Before the first search. */
export function Welcome({ state }: { state: State }) {
  const { topics, searches, days } = state.profile
  if (topics === 0)
    return (
      <div class="welcome">
        <h2>Your profile is empty, and that is fine</h2>
        <p>
          Search as you always do.{" "}
          {state.learning ? "From what you click" : "If you switch learning on, from what you click"}, this machine
          learns which topics you care about, and keeps that to itself.
        </p>
        <ol>
          <li>Search for something, and open what you like.</li>
          <li>The next searches are re-ranked by what was learned; you see which results moved.</li>
          <li>What an engine may be told of it is yours to bound, topic by topic.</li>
        </ol>
        <p class="quiet">
          A history you already have can be imported: <code>queryveil personal serve --help</code> says how.
        </p>
      </div>
    )
  return (
    <div class="welcome">
      <p>
        Your profile has {counted(topics, "topic")}, of {counted(searches, "search", "searches")} on{" "}
        {counted(days, "day")}. It stays on this machine, encrypted. As you type, you see what an engine would be shown
        of it.
      </p>
      {state.floor === null && state.proposals.length === 0 && (
        <p class="notice warn">
          <b>No risk is counted: nothing is marked sensitive.</b> Any topic of your profile may be shown to an engine
          that takes one. Mark topics under <a href="#profile">Profile</a>.
        </p>
      )}
      <p class="quiet">
        <kbd>/</kbd> goes to the box, <kbd>Enter</kbd> searches. Learning from clicks is {state.learning ? "on" : "off"}
        .
      </p>
    </div>
  )
}
