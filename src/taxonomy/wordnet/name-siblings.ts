import type { WordNet } from "../../wordnet/wordnet.ts"

/**
 * A different name for each of these synsets. A synset is named by its first lemma. Of siblings that share it, the one
 * with the most frequent sense of the lemma keeps it. Each other sibling, in sense order, takes its next lemma that is
 * not a sibling's first lemma and that no sibling took before. If there is none, it takes the first lemma with ~2, ~3,
 * … Groups that share a lemma are processed in the order of the lemma's id. The names depend only on WordNet.
 */
export function nameSiblings(wordnet: WordNet, siblings: readonly number[]): string[] {
  const firsts = siblings.map((synset) => wordnet.lemmasOf(synset)[0])
  const taken = new Set(firsts)
  if (taken.size === siblings.length) return firsts.map((lemma) => wordnet.lemmas.text(lemma))

  const names = new Array<string>(siblings.length)
  const senseOf = (at: number) => wordnet.synsetsOf(firsts[at]).indexOf(siblings[at])
  const inOrder = siblings.map((_, at) => at).sort((a, b) => firsts[a] - firsts[b] || senseOf(a) - senseOf(b))
  let suffix = 1
  inOrder.forEach((at, place) => {
    if (place === 0 || firsts[inOrder[place - 1]] !== firsts[at]) {
      suffix = 1
      names[at] = wordnet.lemmas.text(firsts[at])
      return
    }
    const other = wordnet.lemmasOf(siblings[at]).find((lemma) => !taken.has(lemma))
    if (other !== undefined) taken.add(other)
    names[at] = other === undefined ? `${wordnet.lemmas.text(firsts[at])}~${++suffix}` : wordnet.lemmas.text(other)
  })
  return names
}
