import type { SeedTopic } from "./answers.ts"

/** A line in the tree of a query. */
export interface SeedRow {
  topic: SeedTopic
  /** Topics above that have no other child and no mark of their own. They are shown in the same line, topmost first. */
  above: readonly string[]
  /** From 1. */
  level: number
  /** Place among its siblings, from 1, and the number of siblings. */
  place: number
  siblings: number
  hasChildren: boolean
  isOpen: boolean
}

/** In larger trees, topics that are not shown and not marked start closed. */
const many = 60

/** In trees up to this size, every topic has its own line. */
const few = 24

/**
 * The lines of a seed profile, depth first. `opened` says what a person opened or closed. In a tree that is not small,
 * a chain of only children is drawn as one line.
 */
export function seedRows(seed: readonly SeedTopic[], opened: ReadonlyMap<string, boolean>): SeedRow[] {
  const children = seed.map((): number[] => [])
  const roots: number[] = []
  seed.forEach(({ parent }, node) => {
    const siblings = children[parent] ?? roots
    siblings.push(node)
  })
  const isOpenAtFirst = openAtFirst(seed)
  const nextInLine = (node: number) => (seed.length > few ? onlyChild(seed, children, node) : undefined)
  const rows: SeedRow[] = []
  const walk = (nodes: readonly number[], level: number) => {
    nodes.forEach((first, i) => {
      const above: string[] = []
      let node = first
      let topic = seed[node]
      for (let only = nextInLine(node); only !== undefined; only = nextInLine(node)) {
        if (topic !== undefined && topic.path !== "") above.push(topic.name)
        node = only
        topic = seed[node]
      }
      if (topic === undefined) return
      const below = children[node] ?? []
      const isOpen = below.length > 0 && (opened.get(topic.path) ?? isOpenAtFirst[node] ?? true)
      const place = { level, place: i + 1, siblings: nodes.length }
      rows.push({ topic, above, ...place, hasChildren: below.length > 0, isOpen })
      if (isOpen) walk(below, level + 1)
    })
  }
  walk(roots, 1)
  return rows
}

/**
 * The child that is drawn in the same line: an only child whose parent does not differ from it in anything that a
 * person looks for.
 */
function onlyChild(seed: readonly SeedTopic[], children: readonly number[][], node: number): number | undefined {
  const [child, ...others] = children[node] ?? []
  const topic = seed[node]
  const below = child === undefined ? undefined : seed[child]
  if (topic === undefined || below === undefined || others.length > 0) return undefined
  const isPlain =
    topic.sensitive === 0 &&
    !topic.never &&
    !below.never &&
    !topic.relevant &&
    topic.exposed === below.exposed &&
    Math.abs(topic.share - below.share) < 0.001
  return isPlain ? child : undefined
}

/**
 * Which topics are open at first: in a small tree all; in a large one those that lead to a topic that is shown, marked
 * or meant. Parents come before children.
 */
function openAtFirst(seed: readonly SeedTopic[]): boolean[] {
  const isOpen = seed.map(() => seed.length <= many)
  for (let node = seed.length - 1; node >= 0; node--) {
    const topic = seed[node]
    if (topic === undefined || topic.parent < 0) continue
    if (isOpen[node] || topic.exposed || topic.sensitive > 0 || topic.never || topic.relevant)
      isOpen[topic.parent] = true
  }
  return isOpen
}
