import { useCallback, useEffect, useState } from "preact/hooks"
import { Panel } from "../shared/panel.tsx"
import type { Day, Shown } from "./answers.ts"
import { ConfirmButton } from "./confirm-button.tsx"
import { engineLabel } from "./engine-words.ts"
import type { PersonalProxy } from "./proxy.ts"
import { asBounded, counted, splitPath } from "./words.ts"

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
const longDay = new Intl.DateTimeFormat("en", {
  weekday: "short",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
})
/** Days are UTC days, as the proxy counts them. */
const dayOf = ({ time }: Shown) => new Date(1000 * time).toISOString().slice(0, 10)
const asDay = (day: string) => longDay.format(new Date(`${day}T00:00:00Z`))

/** How many days are listed at first. */
const fewDays = 14

/** What each engine was shown and when, and what was learned; both can be deleted here. */
export function HistoryView({ proxy }: { proxy: PersonalProxy }) {
  const { api, fail, say, setState } = proxy
  const [entries, setEntries] = useState<readonly Shown[]>()
  const [hasMore, setMore] = useState(false)
  const [days, setDays] = useState<readonly Day[]>()
  const [allDays, showAllDays] = useState(false)
  const loadShown = useCallback(
    async (before?: number) => {
      const answer = await api.history(before)
      setEntries((known) => (before === undefined ? answer.entries : [...(known ?? []), ...answer.entries]))
      setMore(answer.more)
    },
    [api],
  )
  const loadDays = useCallback(async () => setDays(await api.days()), [api])
  useEffect(() => {
    loadShown().catch(fail)
    loadDays().catch(fail)
  }, [loadShown, loadDays, fail])

  const remove = async (day?: string) => {
    await api.deleteHistory(day)
    say(day === undefined ? "The history is deleted." : `The history of ${asDay(day)} is deleted.`)
    await loadShown()
  }
  const forget = async (day: string) => {
    const state = await api.forget({ day })
    setState(() => state)
    say(`What was learned on ${asDay(day)} is forgotten.`)
    await Promise.all([loadDays(), loadShown()])
  }
  const last = entries?.at(-1)
  return (
    <div class="two">
      <Panel
        title="What engines were shown"
        aside={
          entries !== undefined &&
          entries.length > 0 && (
            <span class="actions">
              <button type="button" class="plain" onClick={() => void download(proxy)}>
                Export
              </button>
              <ConfirmButton question="Delete all of it?" onConfirm={() => void remove().catch(fail)}>
                Delete all
              </ConfirmButton>
            </span>
          )
        }
      >
        {entries?.length === 0 && <p class="note first">No exposure is stored.</p>}
        <p class="note first">
          Deleting removes times and details. The names of topics that an engine was shown stay, because the limit for
          all time still counts them.
        </p>
        {byDay(entries ?? []).map(([day, shown]) => (
          <section class="day" key={day} aria-label={asDay(day)}>
            <div class="head">
              <h3>{asDay(day)}</h3>
              <ConfirmButton question="Delete this day?" of={asDay(day)} onConfirm={() => void remove(day).catch(fail)}>
                Delete
              </ConfirmButton>
            </div>
            <ul class="shown">
              {shown.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ul>
          </section>
        ))}
        {hasMore && last !== undefined && (
          <p class="actions">
            <button type="button" class="plain" onClick={() => void loadShown(last.id).catch(fail)}>
              Show older ones
            </button>
          </p>
        )}
      </Panel>
      <Panel title="What was learned, by day">
        <p class="note first">
          Forgetting a day removes it from the profile and from this history. Engines still know what they were shown on
          it.
        </p>
        {days?.length === 0 && <p class="note">Nothing has been learned yet.</p>}
        <ul class="days">
          {days?.slice(0, allDays ? undefined : fewDays).map(({ day, documents }) => (
            <li key={day}>
              <span>{asDay(day)}</span>
              <span class="quiet">{counted(documents, "document")}</span>
              <ConfirmButton question="Forget this day?" of={asDay(day)} onConfirm={() => void forget(day).catch(fail)}>
                Forget
              </ConfirmButton>
            </li>
          ))}
        </ul>
        {days !== undefined && days.length > fewDays && !allDays && (
          <p class="actions">
            <button type="button" class="plain" onClick={() => showAllDays(true)}>
              Show all {days.length} days
            </button>
          </p>
        )}
      </Panel>
    </div>
  )
}

function Entry({ entry }: { entry: Shown }) {
  const { time, engine, query, exposure, risk, delta } = entry
  return (
    <li>
      <p class="when">
        <time dateTime={new Date(1000 * time).toISOString()}>{clock.format(1000 * time)}</time>
        <span>{engineLabel(engine)}</span>
        <span class="quiet">{risk === null ? "no risk counted" : `risk ${asBounded(risk, delta)}`}</span>
      </p>
      {query !== undefined && (
        <p class="query" dir="auto">
          {query}
        </p>
      )}
      <p class="pills">
        {exposure.length === 0 ? (
          <span class="quiet">no topic</span>
        ) : (
          deepest(exposure).map((path) => (
            <span class="pill" key={path} title={path}>
              {splitPath(path).name}
            </span>
          ))
        )}
      </p>
    </li>
  )
}

/** Topics with no other topic below them. They imply everything that was shown. */
const deepest = (paths: readonly string[]) =>
  paths.filter((path) => path !== "" && !paths.some((other) => other.startsWith(`${path}/`)))

function byDay(entries: readonly Shown[]): [string, Shown[]][] {
  const days = new Map<string, Shown[]>()
  for (const entry of entries) {
    const day = dayOf(entry)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}

async function download({ api, fail }: PersonalProxy): Promise<void> {
  try {
    const address = URL.createObjectURL(await api.exportHistory())
    const link = document.createElement("a")
    link.href = address
    link.download = "queryveil-exposures.json"
    link.click()
    setTimeout(() => URL.revokeObjectURL(address), 10_000)
  } catch (error) {
    fail(error)
  }
}
