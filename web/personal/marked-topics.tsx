import { markNever, markSensitive, type PersonalProxy } from "./proxy.ts"
import { Barred, Lock } from "./tree-view.tsx"
import { splitPath } from "./words.ts"

/** A short list of marked topics, each with a button that removes the mark. */
export function MarkedTopics({ proxy }: { proxy: PersonalProxy }) {
  const { sensitive, never } = proxy.state
  if (sensitive.length + never.length === 0) return <p class="note first">Nothing is marked yet.</p>
  return (
    <ul class="marked">
      {sensitive.map(({ path }) => (
        <li key={path}>
          <Lock />
          <Topic path={path} mark="sensitive" />
          <Unmark path={path} onUnmark={() => void markSensitive(proxy, path, 0)} />
        </li>
      ))}
      {never.map((path) => (
        <li key={`never ${path}`}>
          <Barred />
          <Topic path={path} mark="never shown" />
          <Unmark path={path} onUnmark={() => void markNever(proxy, path, false)} />
        </li>
      ))}
    </ul>
  )
}

function Topic({ path, mark }: { path: string; mark: string }) {
  const { name, above } = splitPath(path)
  return (
    <span>
      <b>{name}</b> {mark} <small class="path">{above}</small>
    </span>
  )
}

const Unmark = ({ path, onUnmark }: { path: string; onUnmark(): void }) => (
  <button type="button" class="plain" aria-label={`Remove the mark: ${splitPath(path).name}`} onClick={onUnmark}>
    Remove the mark
  </button>
)
