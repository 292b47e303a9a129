import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { Panel } from "../shared/panel.tsx"
import type { FoundTopic, Topic } from "./answers.ts"
import { ConfirmButton } from "./confirm-button.tsx"
import { isNever, markNever, markSensitive, type PersonalProxy } from "./proxy.ts"
import { fully, neverBy, Sensitivity } from "./sensitivity.tsx"
import { TopicSearch } from "./topic-search.tsx"
import { Barred, Lock, ShareBar, type TreeRow, TreeView } from "./tree-view.tsx"
import { asRisk, counted, splitPath } from "./words.ts"

/** The whole profile, topic by topic; topics are fetched when they are opened. */
export function ProfileView({ proxy }: { proxy: PersonalProxy }) {
  const { state, api, fail, say, setState } = proxy
  const [children, setChildren] = useState<ReadonlyMap<string, readonly Topic[]>>(new Map())
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set([""]))
  const [chosen, setChosen] = useState<string>()
  const [picked, setPicked] = useState<FoundTopic>()
  const detail = useRef<HTMLDivElement>(null)
  const load = useCallback(
    async (path: string) => {
      try {
        const topics = await api.topics(path)
        setChildren((before) => new Map(before).set(path, topics))
        // A chain of only children is opened down to the first choice.
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
    // Searches may have taught something meanwhile.
    api.state().then((state) => setState(() => state), fail)
  }, [load, api, setState, fail])

  const sensitivityOf = (path: string) => state.sensitive.find((topic) => topic.path === path)?.sensitivity ?? 0
  const topics = new Map([...children.values()].flat().map((topic) => [topic.path, topic]))
  const topic =
    chosen === undefined ? undefined : (topics.get(chosen) ?? (picked?.path === chosen ? picked : undefined))
  const open = (path: string, isOpen: boolean) => {
    setOpened((before) => {
      const after = new Set(before)
      if (isOpen) after.add(path)
      else after.delete(path)
      return after
    })
    if (isOpen && !children.has(path)) void load(path)
  }
  /** On a narrow screen the detail is below the tree, where it would not be seen. */
  const showDetail = () => requestAnimationFrame(() => detail.current?.scrollIntoView({ block: "nearest" }))
  /** Opens the tree down to a topic that was searched for, if the profile has it. */
  const reveal = async (found: FoundTopic) => {
    setPicked(found)
    setChosen(found.path)
    showDetail()
    if (found.support === 0) return
    const names = found.path.split("/")
    const above = names.slice(0, -1).map((_, i) => names.slice(0, i + 1).join("/"))
    setOpened((before) => new Set([...before, ...above]))
    await Promise.all(above.filter((path) => !children.has(path)).map(load))
  }
  const mark = (path: string, sensitivity: number) => void markSensitive(proxy, path, sensitivity)
  const never = (path: string, isNever: boolean) => void markNever(proxy, path, isNever)
  const forget = async (path: string) => {
    try {
      const after = await api.forget({ path })
      setState(() => after)
      say(`${splitPath(path).name} is forgotten.`)
      setChosen(undefined)
      setPicked(undefined)
      setChildren(new Map())
      setOpened(new Set([""]))
      await load("")
    } catch (error) {
      fail(error)
    }
  }
  const rows = treeRows({ children, opened, sensitivityOf, never: state.never })
  const { profile } = state
  return (
    <div class="two">
      <Panel title="Your profile" aside={<span class="unit">taxonomy: {state.taxonomy}</span>}>
        <p class="note first">
          {counted(profile.topics, "topic")}, of {counted(profile.searches, "search", "searches")} on{" "}
          {counted(profile.days, "day")}.
        </p>
        <TopicSearch
          proxy={proxy}
          label="Find a topic, in your profile or not"
          onPick={(found) => void reveal(found)}
        />
        {rows.length === 0 ? (
          <p class="note">{profile.topics === 0 ? "Your profile has no topics yet." : "Loading…"}</p>
        ) : (
          <>
            <TreeView
              label="Topics of your profile"
              rows={rows}
              describedBy="profile-keys"
              {...(chosen !== undefined && { chosen })}
              onOpen={open}
              onChoose={setChosen}
              onAct={(path, by) => {
                setChosen(path)
                if (by === "pointer") showDetail()
                if (by === "key" && !isNever(state.never, path)) mark(path, sensitivityOf(path) > 0 ? 0 : fully)
              }}
            />
            <p class="note" id="profile-keys">
              Select a topic to mark it, never show it or forget it.
              <span class="keyboard-hint"> Arrow keys move through the topics; Enter marks one as sensitive.</span>
            </p>
          </>
        )}
      </Panel>
      <div class="stack">
        {topic !== undefined && (
          <div ref={detail}>
            <Panel title={topic.name}>
              <p class="path">{splitPath(topic.path).above}</p>
              <p class="note">
                {topic.support === 0
                  ? "Not in your profile. A mark protects it from when it is learned."
                  : `Seen ${counted(Math.round(topic.support), "time")}.`}
              </p>
              <Sensitivity
                path={topic.path}
                sensitivity={sensitivityOf(topic.path)}
                never={neverBy(state.never, topic.path)}
                onMark={mark}
                onNever={never}
              />
              {topic.support > 0 && (
                <p class="actions">
                  <ConfirmButton
                    question="Forget it and everything below?"
                    of={topic.name}
                    onConfirm={() => void forget(topic.path)}
                  >
                    Forget this topic
                  </ConfirmButton>
                </p>
              )}
            </Panel>
          </div>
        )}
        <Panel title="Sensitive topics">
          {state.sensitive.length === 0 ? (
            <p class="note first">
              None is marked, so no risk is counted and any topic may be shown. Mark what you would not tell a stranger.
            </p>
          ) : (
            <ul class="sensitive-list">
              {state.sensitive.map(({ path, sensitivity }) => (
                <li key={path}>
                  <p>
                    <Lock /> <b>{splitPath(path).name}</b> <small class="path">{splitPath(path).above}</small>
                  </p>
                  <Sensitivity
                    path={path}
                    sensitivity={sensitivity}
                    never={neverBy(state.never, path)}
                    onMark={mark}
                    onNever={never}
                  />
                </li>
              ))}
            </ul>
          )}
        </Panel>
        <Panel title="Never shown">
          {state.never.length === 0 ? (
            <p class="note first">
              None is marked. Your profile never shows a topic marked “Never show”, nor anything below it, whatever your
              limits are.
            </p>
          ) : (
            <ul class="sensitive-list">
              {state.never.map((path) => (
                <li key={path}>
                  <p>
                    <Barred /> <b>{splitPath(path).name}</b> <small class="path">{splitPath(path).above}</small>
                  </p>
                  <Sensitivity
                    path={path}
                    sensitivity={sensitivityOf(path)}
                    never={neverBy(state.never, path)}
                    onMark={mark}
                    onNever={never}
                  />
                </li>
              ))}
            </ul>
          )}
        </Panel>
      </div>
    </div>
  )
}

interface Rows {
  children: ReadonlyMap<string, readonly Topic[]>
  opened: ReadonlySet<string>
  sensitivityOf(path: string): number
  never: readonly string[]
}

function treeRows({ children, opened, sensitivityOf, never }: Rows): TreeRow[] {
  const largest = Math.max(1, ...(children.get("") ?? []).map(({ support }) => support))
  const rows: TreeRow[] = []
  const walk = (path: string, level: number) => {
    const topics = children.get(path) ?? []
    topics.forEach((topic, i) => {
      const sensitive = sensitivityOf(topic.path)
      const isHidden = isNever(never, topic.path)
      const mark = isHidden ? ", never shown" : sensitive > 0 ? `, sensitive ${asRisk(sensitive)}` : ""
      const isOpen = topic.children > 0 && opened.has(topic.path)
      const label = `${topic.name}, seen ${counted(Math.round(topic.support), "time")}${mark}`
      rows.push({
        id: topic.path,
        level,
        place: i + 1,
        siblings: topics.length,
        hasChildren: topic.children > 0,
        isOpen,
        label,
        look: sensitive > 0 || isHidden ? "plain-row sensitive" : "plain-row",
        content: (
          <>
            <span class="topic" title={topic.path}>
              {topic.name}
              {isHidden ? <Barred /> : sensitive > 0 && <Lock />}
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
