import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"

export interface TreeRow {
  /** The topic's path. */
  id: string
  /** From 1, as is `place`. */
  level: number
  place: number
  siblings: number
  hasChildren: boolean
  isOpen: boolean
  /** The whole line as text, for screen readers. */
  label: string
  look?: string
  content: ComponentChildren
}

interface TreeViewProps {
  label: string
  rows: readonly TreeRow[]
  onOpen(id: string, isOpen: boolean): void
  /** Called for Enter, Space or a click. */
  onAct(id: string, by: "key" | "pointer"): void
  onChoose?(id: string): void
  /** A line that is chosen from outside. The list scrolls to it, and the focus stays where it is. */
  chosen?: string
  /** Id of the text that explains the keys. */
  describedBy?: string
}

/** Lines of a tree with the keys of the ARIA tree pattern: arrow keys move, Tab stops once, letters jump. */
export function TreeView({ label, rows, onOpen, onAct, onChoose, describedBy, ...from }: TreeViewProps) {
  const list = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<string>()
  const stop = rows.some(({ id }) => id === chosen) ? chosen : rows[0]?.id
  const moved = useRef(false)
  // The focus follows the choice, once the line is drawn.
  useLayoutEffect(() => {
    if (moved.current) list.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus()
    moved.current = false
  }, [chosen])

  const isDrawn = rows.some(({ id }) => id === from.chosen)
  useLayoutEffect(() => {
    if (!isDrawn || from.chosen === chosen) return
    setChosen(from.chosen)
    requestAnimationFrame(() =>
      list.current?.querySelector("[aria-selected='true']")?.scrollIntoView({ block: "nearest" }),
    )
  }, [from.chosen, isDrawn])

  const choose = (id: string | undefined) => {
    if (id === undefined || id === chosen) return
    moved.current = true
    setChosen(id)
    onChoose?.(id)
  }
  const press = (event: KeyboardEvent) => {
    const at = rows.findIndex(({ id }) => id === stop)
    const row = rows[at]
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const parent = () => rows.slice(0, at).findLast(({ level }) => level < row.level)?.id
    const steps: Record<string, () => void> = {
      ArrowDown: () => choose(rows[at + 1]?.id),
      ArrowUp: () => choose(rows[at - 1]?.id),
      Home: () => choose(rows[0]?.id),
      End: () => choose(rows.at(-1)?.id),
      ArrowRight: () =>
        row.hasChildren && !row.isOpen ? onOpen(row.id, true) : row.isOpen && choose(rows[at + 1]?.id),
      ArrowLeft: () => (row.isOpen ? onOpen(row.id, false) : choose(parent())),
      Enter: () => onAct(row.id, "key"),
      " ": () => onAct(row.id, "key"),
    }
    const step =
      steps[event.key] ?? (/^\p{L}$/u.test(event.key) ? () => choose(findByLetter(rows, at, event.key)) : undefined)
    if (step === undefined) return
    event.preventDefault()
    step()
  }
  return (
    <div class="tree" role="tree" aria-label={label} aria-describedby={describedBy} ref={list} onKeyDown={press}>
      {rows.map(({ id, level, place, siblings, hasChildren, isOpen, label, look = "", content }) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the tree around the lines.
        <div
          key={id}
          role="treeitem"
          class={look}
          tabIndex={id === stop ? 0 : -1}
          aria-level={level}
          aria-posinset={place}
          aria-setsize={siblings}
          aria-label={label}
          aria-selected={id === chosen}
          {...(hasChildren && { "aria-expanded": isOpen })}
          style={{ "--level": Math.min(level, 9) - 1 }}
          onFocus={() => choose(id)}
          onClick={() => onAct(id, "pointer")}
        >
          <span
            class={hasChildren ? "twisty" : "twisty none"}
            aria-hidden="true"
            onClick={(event) => {
              if (!hasChildren) return
              event.stopPropagation()
              onOpen(id, !isOpen)
            }}
          >
            {hasChildren ? (isOpen ? "▾" : "▸") : ""}
          </span>
          {content}
        </div>
      ))}
    </div>
  )
}

function findByLetter(rows: readonly TreeRow[], at: number, letter: string): string | undefined {
  const order = [...rows.slice(at + 1), ...rows.slice(0, at)]
  return order.find(({ label }) => label.toLowerCase().startsWith(letter.toLowerCase()))?.id
}

/** Marks a sensitive topic. */
export const Lock = () => (
  <svg class="lock" width="12" height="14" viewBox="0 0 12 14" aria-hidden="true">
    <path d="M3.2 6V4a2.8 2.8 0 0 1 5.6 0v2" fill="none" stroke="currentColor" stroke-width="1.6" />
    <rect x="1" y="6" width="10" height="7.5" rx="1.8" fill="currentColor" />
  </svg>
)

/** Marks a topic that is never shown. */
export const Barred = () => (
  <svg class="lock" width="13" height="13" viewBox="0 0 13 13" aria-hidden="true">
    <circle cx="6.5" cy="6.5" r="5.3" fill="none" stroke="currentColor" stroke-width="1.8" />
    <path d="M2.8 10.2 10.2 2.8" stroke="currentColor" stroke-width="1.8" />
  </svg>
)

/** A bar for a share from 0 to 1. */
export const ShareBar = ({ share }: { share: number }) => (
  <svg class="share" width="56" height="6" viewBox="0 0 56 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="56" height="6" rx="3" />
    <rect class="bar" width={Math.max(share > 0 ? 2 : 0, 56 * Math.min(1, share))} height="6" rx="3" />
  </svg>
)
