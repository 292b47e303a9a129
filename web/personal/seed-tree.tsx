import { useState } from "preact/hooks"
import type { SeedTopic } from "./answers.ts"
import { type SeedRow, seedRows } from "./seed-rows.ts"
import { fully, type Marking, neverBy, Sensitivity } from "./sensitivity.tsx"
import { Barred, Lock, ShareBar, type TreeRow, TreeView } from "./tree-view.tsx"
import { asRisk, asShare, splitPath } from "./words.ts"

interface SeedTreeProps extends Marking {
  seed: readonly SeedTopic[]
  /** Paths of topics that are marked never show. */
  never: readonly string[]
  isDone: boolean
}

/**
 * The part of the profile that matters to one query. Topics that are shown are filled; topics that stay on this machine
 * are hollow.
 */
export function SeedTree({ seed, never, isDone, onMark, onNever }: SeedTreeProps) {
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [chosen, setChosen] = useState<string>()
  const topic = seed.find(({ path }) => path === chosen)
  const rows = seedRows(seed, opened).map((row) => asTreeRow(row, isDone))
  const act = (path: string, by: "key" | "pointer") => {
    const found = seed.find((topic) => topic.path === path)
    if (found === undefined || path === "") return
    setChosen(path)
    if (found.never) return
    if (found.sensitive === 0) onMark(path, fully)
    else if (by === "key") onMark(path, 0)
  }
  return (
    <>
      <p class="key" aria-hidden="true">
        <span>
          <Dot isFilled /> {isDone ? "shown" : "would be shown"}
        </span>
        <span>
          <Dot isFilled={false} /> stays at home
        </span>
        <span>
          <Lock /> sensitive
        </span>
        <span>
          <Barred /> never shown
        </span>
      </p>
      <TreeView
        label="Topics of your profile for this query"
        rows={rows}
        describedBy="tree-keys"
        onOpen={(path, isOpen) => setOpened((before) => new Map(before).set(path, isOpen))}
        onAct={act}
        onChoose={setChosen}
      />
      <p class="note" id="tree-keys">
        Select a topic to mark it sensitive, and again to change the mark.
        <span class="keyboard-hint"> Arrow keys move through the topics; Enter marks one.</span>
      </p>
      {topic !== undefined && topic.path !== "" && (
        <div class="chosen-topic">
          <p>
            <b>{topic.name}</b> <small class="path">{splitPath(topic.path).above}</small>
          </p>
          <Sensitivity
            path={topic.path}
            sensitivity={topic.sensitive}
            never={neverBy(never, topic.path)}
            onMark={onMark}
            onNever={onNever}
          />
        </div>
      )}
    </>
  )
}

function asTreeRow({ topic, above, ...row }: SeedRow, isDone: boolean): TreeRow {
  const { path, name, share, exposed, sensitive, never, relevant } = topic
  const said = [
    path === "" ? "All topics" : name,
    exposed ? (isDone ? "shown" : "would be shown") : "stays at home",
    ...(never ? ["never shown"] : sensitive > 0 ? [`sensitive ${asRisk(sensitive)}`] : []),
    ...(relevant ? ["meant by the query"] : []),
    `${asShare(share)} of the preference`,
  ]
  return {
    ...row,
    id: path,
    label: said.join(", "),
    look: [exposed && "exposed", (sensitive > 0 || never) && "sensitive", path === "" && "root"]
      .filter(Boolean)
      .join(" "),
    content: (
      <>
        <Dot isFilled={exposed} />
        <span class="topic" title={path}>
          {above.length > 0 && <small>{above.join(" › ")} › </small>}
          <span class={relevant ? "relevant" : ""}>{path === "" ? "all topics" : name}</span>
          {never ? <Barred /> : sensitive > 0 && <Lock />}
        </span>
        <ShareBar share={share} />
        <span class="percent">{asShare(share)}</span>
      </>
    ),
  }
}

const Dot = ({ isFilled }: { isFilled: boolean }) => (
  <svg class={isFilled ? "dot filled" : "dot"} width="11" height="11" aria-hidden="true">
    <circle cx="5.5" cy="5.5" r="4.5" />
  </svg>
)
