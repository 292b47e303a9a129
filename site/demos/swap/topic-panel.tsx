import { counted } from "../parts/counted.ts"
import { UserTag } from "../parts/user-tag.tsx"
import type { LeftSearch, SwappedSearch } from "./run-swap.ts"

interface PanelProps {
  topic: string
  k: number
  waiting: readonly SwappedSearch[]
  left: readonly LeftSearch[]
  nameOf(user: number): string
}

/** What waits in a topic, and how its last cell was dealt. */
export function TopicPanel({ topic, k, waiting, left, nameOf }: PanelProps) {
  const users = new Set(waiting.map(({ user }) => user)).size
  const cells = new Set(left.map(({ cell }) => cell))
  const last = Math.max(-1, ...cells)
  return (
    <section class="qv-topic" aria-label={`Topic ${topic}`}>
      <h4>{topic}</h4>
      <p class="qv-quiet">
        {users} of {k + 1} users wait
      </p>
      <p class="qv-seats" aria-hidden="true">
        {Array.from({ length: k + 1 }, (_, i) => (
          <i key={i} class={i < users ? "qv-taken" : ""} />
        ))}
      </p>
      <ul>
        {waiting.map(({ user, query }) => (
          <li key={`${user} ${query}`}>
            <UserTag name={nameOf(user)} number={user} /> {query}
          </li>
        ))}
      </ul>
      {last >= 0 && (
        <>
          <p class="qv-quiet">{counted(cells.size, "cell")} closed. The last exchange, from user to user:</p>
          <p class="qv-exchange">
            {left
              .filter(({ cell }) => cell === last)
              .map(({ user, as }) => (
                <span key={user}>
                  <UserTag name={nameOf(user)} number={user} />
                  →
                  <UserTag name={nameOf(as)} number={as} />
                </span>
              ))}
          </p>
        </>
      )}
    </section>
  )
}
