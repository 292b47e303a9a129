import { useCallback, useEffect, useState } from "preact/hooks"
import { Panel } from "../shared/panel.tsx"
import type { Topic } from "./answers.ts"
import { ConfirmButton } from "./confirm-button.tsx"
import { markSensitive, type PersonalProxy } from "./proxy.ts"
import { fully, Sensitivity } from "./sensitivity.tsx"
import { Lock, ShareBar, type TreeRow, TreeView } from "./tree-view.tsx"
import { asRisk, counted, splitPath } from "./words.ts"

/** All that is known, topic by topic; what a person does not look at is not fetched. */
export function ProfileView({ proxy }: { proxy: PersonalProxy }) {
  const { state, api, fail, say, setState } = proxy
  const [children, setChildren] = useState<ReadonlyMap<string, readonly Topic[]>>(new Map())
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set([""]))
  const [chosen, setChosen] = useState<string>()
  const load = useCallback(
    async (path: string) => {
      try {
        const topics = await api.topics(path)
        setChildren((before) => new Map(before).set(path, topics))
        // A chain of only children is opened to where there is a choice.
        const [only, ...others] = topics
        if (only !== undefined && others.length === 0 && only.children > 0) {
          setOpened((before) => new Set(before).add(only.path))
          await load(only.path)
        }
      } catch (error) {
        fail(error)
      }
    },
    [api, fail],
  )
  useEffect(() => {
    void load("")
    // Searches may have taught something since.
    api.state().then((state) => setState(() => state), fail)
  }, [load, api, setState, fail])

  const sensitivityOf = (path: string) => state.sensitive.find((topic) => topic.path === path)?.sensitivity ?? 0
  const topics = new Map([...children.values()].flat().map((topic) => [topic.path, topic]))
  const topic = chosen === undefined ? undefined : topics.get(chosen)
  const open = (path: string, isOpen: boolean) => {
    setOpened((before) => {
      const after = new Set(before)
      if (isOpen) after.add(path)
      else after.delete(path)
      return after
    })
    if (isOpen && !children.has(path)) void load(path)
  }
  const mark = (path: string, sensitivity: number) => void markSensitive(proxy, path, sensitivity)
  const forget = async (path: string) => {
    try {
      const after = await api.forget({ path })
      setState(() => after)
      say(`${splitPath(path).name} is forgotten.`)
      setChosen(undefined)
      setChildren(new Map())
      setOpened(new Set([""]))
      await load("")
    } catch (error) {
      fail(error)
    }
  }
  const rows = treeRows(children, opened, sensitivityOf)
  const { profile } = state
  return (
    <div class="two">
      <Panel title="Your profile" aside={<span class="unit">taxonomy: {state.taxonomy}</span>}>
        <p class="note first">
          {counted(profile.topics, "topic")}, of {counted(profile.searches, "search", "searches")} on{" "}
          {counted(profile.days, "day")}.
        </p>
        {rows.length === 0 ? (
          <p class="note">{profile.topics === 0 ? "Nothing is known yet." : "Looking…"}</p>
        ) : (
          <>
            <TreeView
              label="Topics of your profile"
              rows={rows}
              describedBy="profile-keys"
              onOpen={open}
              onChoose={setChosen}
              onAct={(path, by) => {
                setChosen(path)
                if (by === "key") mark(path, sensitivityOf(path) > 0 ? 0 : fully)
              }}
            />
            <p class="note" id="profile-keys">
              Choose a topic to mark or forget it; Enter marks it as sensitive.
            </p>
          </>
        )}
      </Panel>
      <div class="stack">
        {topic !== undefined && (
          <Panel title={topic.name}>
            <p class="path">{splitPath(topic.path).above}</p>
            <p class="note">Seen {counted(Math.round(topic.support), "time")}.</p>
            <Sensitivity path={topic.path} sensitivity={sensitivityOf(topic.path)} onMark={mark} />
            <p class="actions">
              <ConfirmButton
                question="Forget it, with all below?"
                of={topic.name}
                onConfirm={() => void forget(topic.path)}
              >
                Forget this topic
              </ConfirmButton>
            </p>
          </Panel>
        )}
        <Panel title="Sensitive topics">
          {state.sensitive.length === 0 ? (
            <p class="note first">None is marked: any topic may be shown within δ.</p>
          ) : (
            <ul class="sensitive-list">
              {state.sensitive.map(({ path, sensitivity }) => (
                <li key={path}>
                  <p>
                    <Lock /> <b>{splitPath(path).name}</b> <small class="path">{splitPath(path).above}</small>
                  </p>
                  <Sensitivity path={path} sensitivity={sensitivity} onMark={mark} />
                </li>
              ))}
            </ul>
          )}
        </Panel>
      </div>
    </div>
  )
}

function treeRows(
  children: ReadonlyMap<string, readonly Topic[]>,
  opened: ReadonlySet<string>,
  sensitivityOf: (path: string) => number,
): TreeRow[] {
  const largest = Math.max(1, ...(children.get("") ?? []).map(({ support }) => support))
  const rows: TreeRow[] = []
  const walk = (path: string, level: number) => {
    const topics = children.get(path) ?? []
    topics.forEach((topic, i) => {
      const sensitive = sensitivityOf(topic.path)
      const isOpen = topic.children > 0 && opened.has(topic.path)
      const label = `${topic.name}, seen ${counted(Math.round(topic.support), "time")}${sensitive > 0 ? `, sensitive ${asRisk(sensitive)}` : ""}`
      rows.push({
        id: topic.path,
        level,
        place: i + 1,
        siblings: topics.length,
        hasChildren: topic.children > 0,
        isOpen,
        label,
        look: sensitive > 0 ? "plain-row sensitive" : "plain-row",
        content: (
          <>
            <span class="topic" title={topic.path}>
              {topic.name}
              {sensitive > 0 && <Lock />}
            </span>
            <ShareBar share={topic.support / largest} />
            <span class="percent">{Math.round(topic.support).toLocaleString("en")}</span>
          </>
        ),
      })
      if (isOpen) walk(topic.path, level + 1)
    })
  }
  walk("", 1)
  return rows
}
