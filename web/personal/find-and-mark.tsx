import { useState } from "preact/hooks"
import type { PersonalProxy } from "./proxy.ts"
import { type Marking, neverBy, Sensitivity } from "./sensitivity.tsx"
import { TopicSearch } from "./topic-search.tsx"
import { splitPath } from "./words.ts"

interface FindAndMarkProps extends Marking {
  proxy: PersonalProxy
}

/** Finds any topic, in the profile or not, and marks it. */
export function FindAndMark({ proxy, onMark, onNever }: FindAndMarkProps) {
  const { state } = proxy
  const [path, setPath] = useState<string>()
  const sensitivity = state.sensitive.find((topic) => topic.path === path)?.sensitivity ?? 0
  return (
    <div class="find-and-mark">
      <TopicSearch proxy={proxy} label="Find a topic to mark" onPick={(topic) => setPath(topic.path)} />
      {path !== undefined && (
        <section class="picked" aria-label={splitPath(path).name}>
          <p>
            <b>{splitPath(path).name}</b> <small class="path">{splitPath(path).above}</small>
          </p>
          <Sensitivity
            path={path}
            sensitivity={sensitivity}
            never={neverBy(state.never, path)}
            onMark={onMark}
            onNever={onNever}
          />
        </section>
      )}
    </div>
  )
}
