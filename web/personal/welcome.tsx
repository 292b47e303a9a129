import type { State } from "./answers.ts"
import { dictionaryNote, isDictionary } from "./engine-words.ts"
import { counted } from "./words.ts"

/** The text of the search view before the first search. */
export function Welcome({ state }: { state: State }) {
  return (
    <div class="welcome">
      {state.profile.topics === 0 ? <Empty state={state} /> : <Known state={state} />}
      {isDictionary(state.engine) && (
        <p class="notice">
          {dictionaryNote} To search the web, set up an engine under <a href="#settings">Settings</a>.
        </p>
      )}
      {!state.welcomed && (
        <p>
          New here? <a href="#start">Start in three steps</a>: what stays here, what is sensitive, which engine.
        </p>
      )}
      <p class="quiet keyboard-hint">
        <kbd>/</kbd> goes to the search box, <kbd>Enter</kbd> searches.
      </p>
    </div>
  )
}

function Empty({ state }: { state: State }) {
  return (
    <>
      <h2>Your profile is empty, and that is fine</h2>
      <p>
        Search as you always do.{" "}
        {state.learning
          ? "This machine learns which topics you care about from what you open, and keeps that to itself."
          : "Learning is off, so your profile stays empty. You can turn it on under Settings."}
      </p>
      <ol>
        <li>Search for something, and open what you like.</li>
        <li>Later searches are ranked by what was learned. You see which results moved.</li>
        <li>You decide, topic by topic, what an engine may be shown of it.</li>
      </ol>
      <p class="quiet">
        You can also import a history under <a href="#settings">Settings</a>.
      </p>
    </>
  )
}

function Known({ state }: { state: State }) {
  const { topics, searches, days } = state.profile
  return (
    <>
      <p>
        Your profile has {counted(topics, "topic")}, of {counted(searches, "search", "searches")} on{" "}
        {counted(days, "day")}. It stays on this machine, encrypted. As you type, you see what an engine would be shown
        of it. Learning from what you open is {state.learning ? "on" : "off"}.
      </p>
      {state.floor === null && state.proposals.length === 0 && (
        <p class="notice warn">
          <b>No risk is counted: nothing in the profile is marked sensitive.</b> Any topic of your profile may be shown
          to an engine that accepts one. Mark topics under <a href="#profile">Profile</a>.
        </p>
      )}
    </>
  )
}
