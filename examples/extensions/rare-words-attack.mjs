// An attack on names that last. It takes two names for one person if they share a word that no third name has.
import { registerAttack, Type } from "queryveil/extend"

registerAttack({
  name: "rare-words",
  summary: "takes two names for one person if they alone share a word: how often is that right",
  options: Type.Object({
    rareWordLetters: Type.Integer({ default: 4, minimum: 1, description: "rare-words: letters that a word must have" }),
  }),
  applies({ release }) {
    const { guarantee, parameters } = release.manifest
    if (parameters.users === "drop") return "the release shows no names"
    return ["equality", "affinity"].includes(guarantee.model)
      ? true
      : "the names do not belong to the people who searched"
  },
  async run({ release, log }, { rareWordLetters }, context) {
    const letters = rareWordLetters
    const namesOf = usersByWord(await release.log(context), letters)
    const peopleOf = usersByWord(log, letters) // only to score the guesses: the attacker does not have the log
    const guessed = [...namesOf].filter(([, names]) => names.size === 2).map(([word]) => word)
    if (guessed.length === 0) return []
    const right = guessed.filter((word) => peopleOf.get(word)?.size === 1).length
    return [{ score: "rare-words", value: right / guessed.length, n: guessed.length, baseline: 0, better: "lower" }]
  },
})

/** The users, or names, of each word. */
function usersByWord({ rows, user, query, queries }, letters) {
  const found = new Map()
  for (let row = 0; row < rows; row++) {
    for (const word of queries.text(query[row]).split(" ")) {
      if (word.length >= letters) found.set(word, (found.get(word) ?? new Set()).add(user[row]))
    }
  }
  return found
}
