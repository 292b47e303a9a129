import { isNever } from "./never-topics.ts"
import type { PersonalStore } from "./personal-store.ts"
import { type SensitiveKind, sensitiveKinds, sensitiveNames } from "./sensitive-names.ts"
import { pathOf } from "./topic-tree.ts"

/** A topic of a profile that may be sensitive, judged by its name. */
export interface Proposal {
  kind: SensitiveKind
  path: string
  name: string
  /** Number of documents about it and all topics below it. */
  support: number
}

const kindOf = new Map<string, SensitiveKind>(
  sensitiveKinds.flatMap((kind) => sensitiveNames[kind].map((name): [string, SensitiveKind] => [name, kind])),
)
const mostNames = Math.max(...[...kindOf.keys()].map((name) => name.split("/").length))

/**
 * A name in the list's form: `Gay,_Lesbian_&_Bisexual` becomes `gay lesbian and bisexual`. `~2` distinguishes namesake
 * siblings.
 */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/~\d+$/, "")
    .replaceAll("&", " and ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
}

/** The kind of a topic by the names at the end of its path, or undefined. */
function sensitiveKind(path: string): SensitiveKind | undefined {
  const names = ["", ...path.split("/").map(plainName)]
  for (let count = 1; count <= Math.min(mostNames, names.length); count++) {
    const kind = kindOf.get(names.slice(-count).join("/"))
    if (kind !== undefined) return kind
  }
  return undefined
}

/**
 * Topics of the profile about health, politics, religion, sexuality and money, found by name in any taxonomy: the
 * topmost of each branch. Topics above or below one that the person marked are left out.
 */
export function proposeSensitive({ interests, sensitive, never }: PersonalStore): Proposal[] {
  const profile = interests.profile()
  const { taxonomy, topic, end, size, support } = profile
  const isMarked = (id: number) =>
    isNever(taxonomy, never, id) ||
    sensitive.topic.some((mark) => (mark >= id && mark < taxonomy.end[id]) || (id >= mark && id < taxonomy.end[mark]))
  const found: Proposal[] = []
  for (let node = 1; node < size; ) {
    const path = pathOf(profile, node)
    const kind = sensitiveKind(path)
    if (kind === undefined || isMarked(topic[node])) {
      node++
      continue
    }
    found.push({ kind, path, name: taxonomy.name(topic[node]).replaceAll("_", " "), support: support[node] })
    node = end[node]
  }
  const order = (kind: SensitiveKind) => sensitiveKinds.indexOf(kind)
  return found.sort((a, b) => order(a.kind) - order(b.kind) || b.support - a.support)
}
