import { useState } from "preact/hooks"
import type { Look, StudioState } from "../answers.ts"
import type { Columns } from "../api.ts"
import { Commands } from "../commands.tsx"
import { focusHeading } from "../focus-heading.ts"
import { JobProgress } from "../job-progress.tsx"
import { isActive } from "../job-words.ts"
import { ChooseColumns, nameOf } from "../log/choose-columns.tsx"
import { ChooseFiles } from "../log/choose-files.tsx"
import { columnsProblem, doubtColumn, guessColumns, madeFromLog, type Person, parseColumns } from "../log/columns.ts"
import { ChoosePerson, ConfirmUser } from "../log/confirm-user.tsx"
import { ReadSummary } from "../log/read-summary.tsx"
import { StaleBanner } from "../stale-banner.tsx"
import type { Studio } from "../studio.ts"
import "./log.css"

type ChosenLog = NonNullable<StudioState["log"]>

/** Chooses the log, confirms who a person is in it, and reads it. */
export function LogScreen({ studio }: { studio: Studio }) {
  const { api, state, fail } = studio
  const [isChanging, setChanging] = useState(false)
  const change = (isChanging: boolean) => {
    setChanging(isChanging)
    focusHeading()
  }
  const job = studio.jobOf("read")
  const { log } = state
  const readAgain = async (log: ChosenLog) => {
    const { format, encoding, columns = "" } = log.reading
    try {
      await api.chooseLog({
        revision: state.project.revision,
        files: log.files.map(({ path }) => path),
        columns: parseColumns(columns),
        person: log.person,
        userConfirmed: true,
        ...(format !== undefined && { format }),
        ...(encoding !== undefined && { encoding }),
      })
      studio.reload()
    } catch (error) {
      fail(error)
    }
  }
  const isReading = isActive(job)
  const isOther = log?.files.some((file) => file.state !== "same") === true
  return (
    <div class="stack log-screen">
      {job !== undefined && job.state !== "done" && (
        <JobProgress job={job} onCancel={() => void api.cancel(job.id).catch(fail)} />
      )}
      {!isReading && log?.read && isOther && <OtherFiles log={log} onAgain={() => void readAgain(log)} />}
      {!isReading && log?.read?.stale === true && !isOther && (
        <StaleBanner what="What is shown below" action="Read the log again" onAction={() => void readAgain(log)} />
      )}
      {!isReading && log !== null && log.read === null && !isChanging && (
        <div class="notice with-actions">
          <p>The log was chosen, and it is not read yet.</p>
          <p class="actions">
            <button type="button" onClick={() => void readAgain(log)}>
              Read the log
            </button>
            <button type="button" class="plain" onClick={() => change(true)}>
              Choose other files or columns
            </button>
          </p>
        </div>
      )}
      {!isReading && (log === null || isChanging) && (
        <ChooseLog studio={studio} onDone={() => change(false)} {...(log !== null && { before: log })} />
      )}
      {!isReading && !isChanging && log?.read && (
        <ReadSummary studio={studio} log={log} read={log.read} onChange={() => change(true)} />
      )}
      <Commands lines={state.commands.log ?? []} />
    </div>
  )
}

function OtherFiles({ log, onAgain }: { log: ChosenLog; onAgain(): void }) {
  const isGone = log.files.some(({ state }) => state === "missing")
  return (
    <div class="notice bad with-actions">
      <p>
        <b>{isGone ? "A file of the log is not there any more." : "The log changed after it was read."}</b> What is
        shown below is what was read before.
      </p>
      {!isGone && (
        <p class="actions">
          <button type="button" class="plain" onClick={onAgain}>
            Read the log again
          </button>
        </p>
      )}
    </div>
  )
}

interface ChooseLogProps {
  studio: Studio
  /** The log that was chosen before. */
  before?: ChosenLog
  onDone(): void
}

/** Files, then columns, then what a person is, then the confirmation of the user column; each after the one before. */
function ChooseLog({ studio, before, onDone }: ChooseLogProps) {
  const { api, state, fail } = studio
  const [files, setFiles] = useState<readonly string[]>(() => before?.files.map(({ path }) => path) ?? [])
  const [look, setLook] = useState<Look>()
  const [isBusy, setBusy] = useState(false)
  const [format, setFormat] = useState<string>()
  const [columns, setColumns] = useState<Columns>({})
  const [person, setPerson] = useState<Person>()
  // What was confirmed. Another column or another answer has to be confirmed again.
  const [confirmed, setConfirmed] = useState("")
  const isChoice = look !== undefined && look.columns.length > 0
  const user = look?.columns.find(({ place }) => place === columns.user)
  const claim = `${user?.place ?? ""} ${person}`
  const mayConfirm = look !== undefined && (isChoice ? columnsProblem(columns) === undefined : !look.problem)

  // A button that is pressed stays enabled, or it would lose the focus.
  const lookAt = async (format: string | undefined) => {
    if (isBusy) return
    setBusy(true)
    try {
      const found = await api.look(files, format)
      setLook(found)
      setFormat(format)
      setColumns(guessColumns(found.columns))
      setConfirmed("")
      studio.say("The columns are shown below.")
    } catch (error) {
      fail(error)
    }
    setBusy(false)
  }
  const read = async (person: Person) => {
    if (isBusy) return
    setBusy(true)
    try {
      await api.chooseLog({
        revision: state.project.revision,
        files,
        columns: isChoice ? columns : {},
        person,
        userConfirmed: true,
        ...(format !== undefined && { format }),
      })
      onDone()
      studio.say("")
      studio.reload()
    } catch (error) {
      fail(error)
    }
    setBusy(false)
  }
  const stale = before === undefined ? [] : madeFromLog(state)
  return (
    <>
      {before !== undefined && (
        <div class="notice warn with-actions">
          <p>
            <b>Another log, or another user column, makes everything after it stale.</b>{" "}
            {stale.length > 0 && `This would have to be made again: ${stale.join(", ")}. `}
            Releases that were made stay as they are.
          </p>
          <p class="actions">
            <button type="button" class="plain" onClick={onDone}>
              Keep the present log
            </button>
          </p>
        </div>
      )}
      <ChooseFiles
        studio={studio}
        files={files}
        isBusy={isBusy}
        onFiles={(files) => {
          setFiles(files)
          setLook(undefined)
        }}
        onLook={() => void lookAt(undefined)}
      />
      {look !== undefined && (
        <ChooseColumns
          look={look}
          format={format}
          columns={columns}
          onFormat={(format) => void lookAt(format)}
          onColumns={setColumns}
        />
      )}
      {mayConfirm && <ChoosePerson person={person} onPerson={setPerson} />}
      {mayConfirm && person !== undefined && (
        <>
          <ConfirmUser
            column={user && nameOf(user)}
            person={person}
            doubts={user === undefined ? [] : doubtColumn(user, person)}
            isConfirmed={confirmed === claim}
            onConfirm={(isConfirmed) => setConfirmed(isConfirmed ? claim : "")}
          />
          <p class="actions">
            <button type="button" disabled={confirmed !== claim} onClick={() => void read(person)}>
              Continue: read the log
            </button>
            {confirmed !== claim && <span class="quiet">Confirm the user column first.</span>}
          </p>
        </>
      )}
    </>
  )
}
