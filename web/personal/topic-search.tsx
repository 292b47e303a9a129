import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks"
import type { FoundTopic } from "./answers.ts"
import { Latest } from "./latest.ts"
import { isNever, type PersonalProxy } from "./proxy.ts"
import { Barred, Lock } from "./tree-view.tsx"
import { splitPath } from "./words.ts"

interface TopicSearchProps {
  proxy: PersonalProxy
  label: string
  onPick(topic: FoundTopic): void
}

/** Minimum number of letters: a single letter begins the words of nearly every topic. */
const fewest = 2

/**
 * A box that finds topics of the whole taxonomy by name and words. The list follows the keys of the ARIA combobox
 * pattern.
 */
export function TopicSearch({ proxy, label, onPick }: TopicSearchProps) {
  const { api, fail, state } = proxy
  const id = useId()
  const [typed, setTyped] = useState("")
  const [found, setFound] = useState<readonly FoundTopic[]>()
  const [active, setActive] = useState(-1)
  const list = useRef<HTMLDivElement>(null)
  const search = useMemo(() => {
    const answer = (topics: FoundTopic[]) => {
      setFound(topics)
      setActive(-1)
    }
    return new Latest(api.findTopics, { answer, error: fail })
  }, [api, fail])
  useEffect(() => () => search.cancel(), [search])
  useEffect(() => {
    // The list must not open below the screen.
    const { bottom = 0 } = list.current?.getBoundingClientRect() ?? {}
    if (found !== undefined && bottom > window.innerHeight) list.current?.parentElement?.scrollIntoView()
  }, [found])
  useEffect(() => {
    if (active >= 0) list.current?.children[active]?.scrollIntoView({ block: "nearest" })
  }, [active])

  const close = () => {
    search.cancel()
    setFound(undefined)
    setActive(-1)
  }
  const type = (text: string) => {
    setTyped(text)
    if (text.trim().length < fewest) close()
    else search.ask(text.trim())
  }
  const pick = (topic: FoundTopic | undefined) => {
    if (topic === undefined) return
    close()
    setTyped("")
    onPick(topic)
  }
  const press = (event: KeyboardEvent) => {
    const last = (found?.length ?? 0) - 1
    const steps: Record<string, () => void> = {
      ArrowDown: () => setActive(active < last ? active + 1 : 0),
      ArrowUp: () => setActive(active > 0 ? active - 1 : last),
      Enter: () => pick(found?.[Math.max(0, active)]),
      Escape: close,
    }
    const step = last < 0 && event.key !== "Escape" ? undefined : steps[event.key]
    if (step === undefined || event.isComposing) return
    event.preventDefault()
    step()
  }
  const isOpen = found !== undefined
  return (
    <div class="topic-search" onFocusOut={(event) => isOutside(event) && close()}>
      <label for={`${id}-box`}>{label}</label>
      <input
        id={`${id}-box`}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        {...(active >= 0 && { "aria-activedescendant": `${id}-${active}` })}
        placeholder="A name or words, for example illness"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={200}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={press}
      />
      <div id={`${id}-list`} ref={list} role="listbox" aria-label={label} hidden={!isOpen || found.length === 0}>
        {found?.map((topic, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the box.
          <div
            key={topic.path}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === active}
            // The box keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(topic)}
          >
            <FoundTopicRow topic={topic} never={state.never} />
          </div>
        ))}
      </div>
      <p class="note" role="status">
        {found === undefined ? "" : found.length === 0 ? "No topic has these words. Try another word." : ""}
        <span class="unseen">{found !== undefined && found.length > 0 && `${found.length} topics found.`}</span>
      </p>
    </div>
  )
}

const isOutside = ({ currentTarget, relatedTarget }: FocusEvent) =>
  currentTarget instanceof Node && !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))

function FoundTopicRow({ topic, never }: { topic: FoundTopic; never: readonly string[] }) {
  const { above } = splitPath(topic.path)
  return (
    <>
      <span class="name">
        <b>{topic.name}</b>
        {isNever(never, topic.path) ? <Barred /> : topic.sensitive > 0 && <Lock />}
        {topic.support > 0 && <small>in your profile</small>}
      </span>
      {above !== "" && <small class="path">{above}</small>}
      {topic.text !== "" && <small class="gloss">{topic.text}</small>}
    </>
  )
}
