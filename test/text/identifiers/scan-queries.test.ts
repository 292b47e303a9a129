import { readFileSync } from "node:fs"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { readPackageList } from "#dist/files/package-lists.js"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { givenNames } from "#dist/text/identifiers/given-names.js"
import { allKinds, defaultKinds, kindBit } from "#dist/text/identifiers/kinds.js"
import { parseLabels } from "#dist/text/identifiers/labels.js"
import { personWords, titles } from "#dist/text/identifiers/name-context-words.js"
import { detectKinds } from "#dist/text/identifiers/registry.js"
import { scanQueries } from "#dist/text/identifiers/scan-queries.js"
import { surnames } from "#dist/text/identifiers/surnames.js"
import { normaliseQuery } from "#dist/text/normalise.js"

const fullNameList = ["famous-persons", "wordnet-persons"].flatMap(readPackageList)

const labelled = ["labelled-queries.tsv", "labelled-queries-held-out.tsv"].flatMap((file) =>
  parseLabels(readFileSync(new URL(file, import.meta.url), "utf8")).map(({ query }) => query),
)

/** Parts of identifiers and of their surroundings, joined at random. */
const piece = fc.constantFrom(
  ..."0123456789 .,:;-–/()@#%+*='\"’′°_$&?!",
  ...["wedding", "obit", "o'", "d’", "ruepaul", "toole", "king", "henry"],
  ...["john", "smith", "rose", "dr", "van", "é", "ß", "ü", "\u2019s", "\u00a0", "漢", "𝔘", "ﬁ", "\u0301", "İ"],
  ...[
    "street",
    "st",
    "rue",
    "via",
    "straße",
    "po box",
    "apt",
    "il",
    "dob",
    "born",
    "b",
    "nato il",
    "né",
    "may",
    "19",
    "20",
  ],
  ...[
    "password",
    "pin",
    "is",
    "my",
    "user",
    "screen name",
    "account",
    "at",
    "dot",
    "com",
    "%40",
    "::",
    "ff",
    "0x",
    "n",
    "w",
  ],
  ...[
    "212-555-",
    "0123",
    "4111 1111 1111 1111",
    "192.0.2.1",
    "40.7128",
    "-74.0060",
    "ssn",
    "facebook.com/",
    "aa:bb:",
    "12345",
  ],
)
const pieces = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(""))
const spaced = fc.array(piece, { maxLength: 10 }).map((parts) => parts.join(" "))

/** A labelled query with some of its characters left out, doubled or replaced. */
const mutated = fc
  .tuple(fc.constantFrom(...labelled), fc.array(fc.tuple(fc.nat(60), fc.nat(2), piece), { maxLength: 3 }))
  .map(([query, edits]) => {
    const characters = [...query]
    for (const [at, removed, added] of edits) characters.splice(at % (characters.length + 1), removed, added)
    return characters.join("")
  })

const texts = fc.array(
  fc.oneof(pieces, spaced, mutated, fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" })),
  {
    minLength: 1,
    maxLength: 40,
  },
)

/** Compares both ways over the same dictionary, whose texts are the UTF-8 form of these. */
function expectSame(queries: string[], kinds: number): void {
  const dictionary = dictionaryOf(queries)
  const found = scanQueries(dictionary, kinds)
  const expected = Array.from({ length: dictionary.size }, (_, id) => detectKinds(dictionary.text(id), kinds))
  expect([...found]).toEqual(expected)
}

describe("the scan of a dictionary", () => {
  test("finds in every query what the detectors find in its text, whatever the text", () => {
    fc.assert(
      fc.property(texts, (some) => expectSame(some.map(normaliseQuery), allKinds)),
      { numRuns: 400 },
    )
  })

  test("finds the same in text that was not normalised", () => {
    fc.assert(
      fc.property(texts, (some) => expectSame(some, allKinds)),
      { numRuns: 200 },
    )
  })

  test("finds only what was asked for", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: allKinds }), (some, kinds) => {
        expectSame(some, kinds)
        const dictionary = dictionaryOf(some)
        const all = scanQueries(dictionary, allKinds)
        expect([...scanQueries(dictionary, kinds)]).toEqual([...all].map((found) => found & kinds))
      }),
      { numRuns: 100 },
    )
  })

  test("finds the labelled queries and variants of them", () => {
    expectSame(labelled, allKinds)
    expectSame(labelled, defaultKinds)
    expect(scanQueries(dictionaryOf(labelled), kindBit("email")).filter((found) => found !== 0).length).toBeGreaterThan(
      10,
    )
  })

  test("finds names without a known given name", () => {
    const queries = [
      "bamanda thistlewood wedding",
      "ruepaul 'ombrowski cpa",
      "xyz o'toole",
      "xyz o’toole",
      "xyz otoole",
    ]
    expectSame(queries, allKinds)
    expect([...scanQueries(dictionaryOf(queries), kindBit("person"))]).toEqual(queries.map(() => kindBit("person")))
  })

  test("finds every listed name, however it is written", () => {
    const listed = [...fullNameList, ...givenNames, ...surnames, ...personWords, ...titles]
    expectSame(
      listed.flatMap((name) => [
        name,
        `xyz ${name}`,
        `xyz zyxian ${name}`,
        `j k ${name}`,
        `xyz ${name[0]}'${name.slice(1)}`,
        `xyz ${name[0]}’${name.slice(1)}`,
        `${name}, john`,
      ]),
      allKinds,
    )
  })

  test("of an empty dictionary finds nothing", () => {
    expect(scanQueries(dictionaryOf([]), allKinds)).toHaveLength(0)
    expect([...scanQueries(dictionaryOf(["", "jane.doe@example.com"]), 0)]).toEqual([0, 0])
  })
})
