import { Panel } from "../../shared/panel.tsx"
import type { Person } from "./columns.ts"
import { persons } from "./person-words.ts"

/** Asks what one person is, and what each answer means for the promise. */
export function ChoosePerson({ person, onPerson }: { person: Person | undefined; onPerson(person: Person): void }) {
  return (
    <Panel title="What is one person here: a login, a cookie, a session?">
      <p class="note first">
        Everything that is promised later is promised about one value of the user column. Say what such a value is.
      </p>
      <div class="cards" role="radiogroup" aria-label="What is one person here?">
        {persons.map(({ person: name, title, means, promise }) => (
          <label key={name} class="card">
            <input type="radio" name="person" checked={name === person} onChange={() => onPerson(name)} />
            <span>
              <b>{title}</b>
              <span>{means}</span>
              <span class="quiet">{promise}</span>
            </span>
          </label>
        ))}
      </div>
    </Panel>
  )
}

interface ConfirmUserProps {
  /** The name of the user column; undefined: the format says which it is. */
  column: string | undefined
  person: Person
  doubts: readonly string[]
  isConfirmed: boolean
  onConfirm(isConfirmed: boolean): void
}

/** Asks a person to confirm the user column, apart from the other columns: a wrong one breaks every promise. */
export function ConfirmUser({ column, person, doubts, isConfirmed, onConfirm }: ConfirmUserProps) {
  return (
    <Panel title="Confirm the user column">
      <p>
        If this column is wrong, every promise is about the wrong thing, and no later check can notice it. Ask whoever
        made the log if you are not sure.
      </p>
      {doubts.length > 0 && (
        <div class="notice warn">
          <b>There is a reason to doubt this column.</b>
          <ul>
            {doubts.map((doubt) => (
              <li key={doubt}>{doubt}</li>
            ))}
          </ul>
        </div>
      )}
      <label class="tick">
        <input type="checkbox" checked={isConfirmed} onChange={(event) => onConfirm(event.currentTarget.checked)} />
        <span>
          Yes:{" "}
          {column === undefined ? (
            "the user of this format"
          ) : (
            <>
              the column <bdi class="column">{column}</bdi>
            </>
          )}{" "}
          is the user. Rows with the same value belong to the same {person}, rows with different values to different
          ones.
        </span>
      </label>
    </Panel>
  )
}
