import { useState } from "preact/hooks"
import { Panel } from "../shared/panel.tsx"
import type { Proposal } from "./answers.ts"
import type { PersonalProxy } from "./proxy.ts"
import { counted, splitPath } from "./words.ts"

const kinds: Record<Proposal["kind"], string> = {
  health: "Health",
  politics: "Politics",
  religion: "Religion",
  sexuality: "Sexuality",
  money: "Money",
}

/** Topics of the profile that many people keep to themselves. While nothing is marked, no risk is counted. */
export function Proposals({ proxy }: { proxy: PersonalProxy }) {
  const { api, state, setState, fail, say } = proxy
  const { proposals } = state
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const chosen = proposals.filter(({ path }) => !left.has(path)).map(({ path }) => path)
  const answer = (paths: readonly string[]) =>
    api.answerProposals(paths).then((after) => {
      setState(() => after)
      say(paths.length === 0 ? "Nothing is marked." : `${counted(paths.length, "topic")} marked sensitive.`)
    }, fail)
  const turn = (path: string) =>
    setLeft((before) => {
      const after = new Set(before)
      if (!after.delete(path)) after.add(path)
      return after
    })
  return (
    <Panel title="Is any of this sensitive?">
      <p class="note first">
        Your profile has topics that many people keep to themselves. While nothing is marked sensitive, no risk is
        counted and any topic may be shown.
      </p>
      {Object.entries(kinds).map(([kind, title]) => {
        const found = proposals.filter((proposal) => proposal.kind === kind)
        if (found.length === 0) return null
        return (
          <fieldset class="proposals" key={kind}>
            <legend>{title}</legend>
            {found.map(({ path, name, support }) => (
              <label class="switch" key={path}>
                <input type="checkbox" checked={!left.has(path)} onChange={() => turn(path)} />
                <span title={path}>
                  {name} <small class="path">{splitPath(path).above}</small>
                </span>
                <span class="quiet">{counted(support, "document")}</span>
              </label>
            ))}
          </fieldset>
        )
      })}
      <p class="actions">
        <button type="button" disabled={chosen.length === 0} onClick={() => void answer(chosen)}>
          Mark {counted(chosen.length, "topic")} sensitive
        </button>
        <button type="button" class="plain" onClick={() => void answer([])}>
          None of these
        </button>
      </p>
      <p class="note">
        You can change every mark later under <a href="#profile">Profile</a>, and mark topics “Never show” there.
      </p>
    </Panel>
  )
}
