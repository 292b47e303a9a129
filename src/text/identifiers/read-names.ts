import { role, rolesOf } from "./name-roles.ts"
import { isBare, isLetter } from "./query-text.ts"

/** The words of a query with their roles. `roles` has three more entries at the end, without a role. */
export interface Names {
  words: readonly string[]
  roles: readonly number[]
  /** The positions of words before a comma, and of those with a possessive. */
  commas: ReadonlySet<number>
  possessives: ReadonlySet<number>
  /** `inContext`: the query has a word about the life of a private person. `inFame`: it has a word about fame. */
  inContext: boolean
  inFame: boolean
}

export function readNames(tokens: readonly string[]): Names {
  const { words, commas, possessives } = tokens.every(isPlain)
    ? { words: tokens, commas: noPlaces, possessives: noPlaces }
    : cutTokens(tokens)
  const roles: number[] = []
  let all = 0
  for (const word of words) {
    const found = rolesOf(word)
    all |= found
    roles.push(found)
  }
  roles.push(0, 0, 0) // to look ahead without checking for the end
  return {
    words,
    roles,
    commas,
    possessives,
    inContext: (all & role.context) !== 0,
    inFame: (all & role.fame) !== 0,
  }
}

const noPlaces: ReadonlySet<number> = new Set()

/** Removes punctuation and the possessive. Hyphens and the dots of initials separate words, apostrophes do not. */
function cutTokens(tokens: readonly string[]): Pick<Names, "words" | "commas" | "possessives"> {
  const words: string[] = []
  const commas = new Set<number>()
  const possessives = new Set<number>()
  for (const token of tokens) {
    if (isPlain(token) || (isBare(token) && !/['’.-]/.test(token))) words.push(token)
    else {
      const bare = token.replace(/^["'(“‘]/, "").replace(/["'.,;:!?)”’]{1,2}$/, "")
      const name = bare.replace(/['’]s$/, "")
      for (const part of name.split(isInitials(name) ? "." : "-")) if (part !== "") words.push(part)
      if (token.endsWith(",")) commas.add(words.length - 1)
      if (name !== bare) possessives.add(words.length - 1)
    }
  }
  return { words, commas, possessives }
}

/** Examples: j.r.r, j.k.rowling. */
function isInitials(text: string): boolean {
  return /^[a-z]\.(?:[a-z]\.){0,2}[a-z]{1,24}$/.test(text)
}

function isPlain(token: string): boolean {
  for (let i = 0; i < token.length; i++) if (!isLetter(token.charCodeAt(i))) return false
  return true
}
