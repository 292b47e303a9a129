import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { openClassifier } from "#dist/taxonomy/classify/open-classifier.js"
import { openTextClassifier } from "#dist/taxonomy/classify/text-classifier.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"

const context = createContext({ workers: 1 })
const file = new URL("../labelled-queries.tsv", import.meta.url)

test("a query has the same topic in a stream as in a log, however the stream is split", async () => {
  const queries = readFileSync(file, "utf8")
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t")[0] ?? "")
    .filter((query) => query !== "")
  const taxonomy = await openTaxonomy("wordnet", {}, context)
  const classifier = await openClassifier(undefined, { taxonomy }, context)
  const whole = dictionaryOf(queries)
  const expected = await classifier.classify(whole, context)
  const portable = classifier.portable?.()
  if (portable === undefined) throw new Error("portable")
  for (const size of [1, 7, 100, 100_000]) {
    const classify = openTextClassifier(portable)
    for (let from = 0; from < whole.size; from += size) {
      const to = Math.min(whole.size, from + size)
      const some = dictionaryOf(Array.from({ length: to - from }, (_, i) => whole.text(from + i)))
      expect(Array.from(classify(some))).toEqual(Array.from(expected.subarray(from, to)))
    }
  }
})
