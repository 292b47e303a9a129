import { type DetachmentRule, detachmentRules } from "./detachment-rules.ts"
import { irregularComparisons, irregularNouns, irregularVerbs, plainPlurals, uncutNouns } from "./exceptions.ts"
import type { PartOfSpeech } from "./part-of-speech.ts"

const irregular: Record<PartOfSpeech, ReadonlyMap<string, readonly string[]>> = {
  noun: basesByForm(irregularNouns),
  verb: basesByForm(irregularVerbs),
  adj: basesByForm(irregularComparisons),
  adv: basesByForm(irregularComparisons),
}
/** The rules by the last letter of their ending, in their original order. */
const rulesByLetter: Record<PartOfSpeech, ReadonlyMap<string, readonly DetachmentRule[]>> = {
  noun: byLastLetter(detachmentRules.noun),
  verb: byLastLetter(detachmentRules.verb),
  adj: byLastLetter(detachmentRules.adj),
  adv: byLastLetter(detachmentRules.adv),
}

/**
 * The words that a single word may be a form of, likeliest first, including the word itself. They need not be lemmas.
 * For an exception, the listed bases come first, then the word. Otherwise the word comes first, then the bases that the
 * detachment rules give.
 */
export function baseForms(word: string, partOfSpeech: PartOfSpeech): readonly string[] {
  const listed = irregular[partOfSpeech].get(word)
  if (listed !== undefined) return listed.includes(word) ? listed : [...listed, word]
  if (partOfSpeech !== "noun") return [word, ...detach(word, partOfSpeech)]
  const owner = possessor(word)
  if (owner !== undefined) return [word, ...baseForms(owner, "noun")]
  // Most words do not end like a plural.
  if (!rulesByLetter.noun.has(word.slice(-1))) return [word]
  // As in Princeton's rules: a short word, or one that ends in -ss, is not a plural.
  if (uncutNouns.has(word) || word.length <= 2 || word.endsWith("ss")) return [word]
  const bases = detach(word, "noun")
  return plainPlurals.has(word) ? [...bases, word] : [word, ...bases]
}

function detach(word: string, partOfSpeech: PartOfSpeech): string[] {
  const bases: string[] = []
  for (const { ending, base, stem } of rulesByLetter[partOfSpeech].get(word.slice(-1)) ?? [])
    if (word.length >= ending.length + stem && word.endsWith(ending))
      bases.push(word.slice(0, word.length - ending.length) + base)
  return bases
}

/** Returns `dog` for `dog's`, and `dogs` for `dogs'`. */
function possessor(word: string): string | undefined {
  if (word.length > 3 && word.endsWith("'s")) return word.slice(0, -2)
  if (word.length > 3 && word.endsWith("s'")) return word.slice(0, -1)
  return undefined
}

function byLastLetter(rules: readonly DetachmentRule[]): Map<string, DetachmentRule[]> {
  const groups = new Map<string, DetachmentRule[]>()
  for (const rule of rules) {
    const letter = rule.ending.slice(-1)
    groups.set(letter, [...(groups.get(letter) ?? []), rule])
  }
  return groups
}

function basesByForm(table: readonly string[]): Map<string, string[]> {
  const bases = new Map<string, string[]>()
  for (const line of table) {
    const [base = "", forms = ""] = line.split(": ")
    for (const form of forms.split(" ")) bases.set(form, [...(bases.get(form) ?? []), base])
  }
  return bases
}
