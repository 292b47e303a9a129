import type { SearchLog } from "../../log/search-log.ts"

/**
 * Searches of each user by topic. User u has counts[i] searches at nodes[i] for i in [offsets[u], offsets[u + 1]).
 * Nodes are ascending.
 */
export interface UserTopics {
  offsets: Uint32Array
  /** Nodes of the taxonomy. */
  nodes: Int32Array
  counts: Uint32Array
}

/** Collects the topics of users, one user after the other. `cut` gives the topic that each topic counts for. */
export class UserTopicsBuilder {
  readonly #cut: Int32Array
  readonly #offsets = [0]
  readonly #nodes: number[] = []
  readonly #counts: number[] = []

  constructor(cut: Int32Array) {
    this.#cut = cut
  }

  /** Adds the next user. Nodes may come in any order, and more than once. */
  add(topics: Iterable<{ node: number; count: number }>): void {
    const sums = new Map<number, number>()
    for (const { node, count } of topics) {
      const category = this.#cut[node]
      sums.set(category, (sums.get(category) ?? 0) + count)
    }
    for (const [node, count] of [...sums].sort(([a], [b]) => a - b)) {
      this.#nodes.push(node)
      this.#counts.push(count)
    }
    this.#offsets.push(this.#nodes.length)
  }

  build(): UserTopics {
    return {
      offsets: Uint32Array.from(this.#offsets),
      nodes: Int32Array.from(this.#nodes),
      counts: Uint32Array.from(this.#counts),
    }
  }
}

/**
 * Counts the topics of a log's users. A search counts once, however many clicks it has. A search without a topic does
 * not count.
 */
export function countUserTopics(
  log: SearchLog,
  { topicOf, cut }: { topicOf: Int32Array; cut: Int32Array },
): UserTopics {
  const builder = new UserTopicsBuilder(cut)
  let row = 0
  while (row < log.rows && log.user[row] < 0) row++
  for (let user = 0; user < log.users.size; user++) {
    const topics: { node: number; count: number }[] = []
    for (; row < log.rows && log.user[row] === user; row++) {
      const isSearch = row === 0 || log.event[row] !== log.event[row - 1]
      const node = topicOf[log.query[row]]
      if (isSearch && node >= 0) topics.push({ node, count: 1 })
    }
    builder.add(topics)
  }
  return builder.build()
}
