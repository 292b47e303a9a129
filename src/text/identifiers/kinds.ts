import { QueryveilError } from "../../kernels/error.ts"

/** The kinds of direct identifiers, in the order of their bits. */
export const identifierKinds = [
  "email",
  "phone",
  "card",
  "national-id",
  "ip",
  "address",
  "birth-date",
  "account",
  "coordinates",
  "person",
] as const

/** One of `identifierKinds`. */
export type IdentifierKind = (typeof identifierKinds)[number]

/** A set of kinds: bit i is `identifierKinds[i]`. */
export type KindSet = number

/** No kind. */
export const noKinds: KindSet = 0
/** Every kind. */
export const allKinds: KindSet = (1 << identifierKinds.length) - 1

/** Every kind but `person`, because a great many harmless searches are about a name too. */
export const defaultKinds: KindSet = allKinds & ~kindBit("person")

/** The set that contains only this kind. */
export function kindBit(kind: IdentifierKind): KindSet {
  return 1 << identifierKinds.indexOf(kind)
}

/** True if there is a kind of this name. */
export function isIdentifierKind(name: string): name is IdentifierKind {
  return identifierKinds.some((kind) => kind === name)
}

/** The set of these kinds. */
export function kindSet(kinds: Iterable<IdentifierKind>): KindSet {
  let set = noKinds
  for (const kind of kinds) set |= kindBit(kind)
  return set
}

/** The kinds of a set, in the order of `identifierKinds`. */
export function kindsIn(set: KindSet): IdentifierKind[] {
  return identifierKinds.filter((kind) => (set & kindBit(kind)) !== 0)
}

/** Parses the value of a flag: `all`, `none`, `default` (all but person), or kinds separated by commas. */
export function parseKinds(value: string, options: { flag?: string } = {}): KindSet {
  const { flag = "--scrub" } = options
  if (value === "all") return allKinds
  if (value === "none") return noKinds
  if (value === "default") return defaultKinds
  let set = noKinds
  for (const part of value.split(",")) {
    const name = part.trim()
    if (!isIdentifierKind(name)) {
      const said = name === "" ? "(empty)" : JSON.stringify(name)
      throw new QueryveilError(
        "option-value",
        `${flag}: unknown kind ${said}. Use all, none, default, or some of ${identifierKinds.join(",")}.`,
        { flag },
      )
    }
    set |= kindBit(name)
  }
  return set
}

/** The shortest text from which `parseKinds` reads this set. */
export function formatKinds(set: KindSet): string {
  if (set === allKinds) return "all"
  if (set === defaultKinds) return "default"
  return set === noKinds ? "none" : kindsIn(set).join(",")
}
