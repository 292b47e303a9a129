import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { cutHits } from "#dist/log/opensearch/cut-hits.js"

const hit = fc.record({
  _index: fc.constantFrom("ubi_queries", "ubi_events", 'a"b\\'),
  _id: fc.string(),
  _score: fc.constant(null),
  _source: fc.dictionary(fc.string(), fc.jsonValue()),
  sort: fc.oneof(fc.tuple(fc.nat()), fc.tuple(fc.nat(), fc.maxSafeInteger())),
})
const answer = fc.record({
  pit_id: fc.string(),
  timed_out: fc.boolean(),
  _shards: fc.dictionary(fc.string(), fc.jsonValue()),
  hits: fc.record({ max_score: fc.constant(null), hits: fc.array(hit) }),
  more: fc.jsonValue(),
})

describe("the documents of an answer", () => {
  test("are cut out as JSON.parse would read them, and the rest is read too", () => {
    fc.assert(
      fc.property(answer, fc.constantFrom(0, 2), (given, indent) => {
        const cut = cutHits(Buffer.from(JSON.stringify(given, null, indent)))
        const parsed = JSON.parse(JSON.stringify(given))
        expect(cut?.rest).toEqual({ ...parsed, hits: { ...parsed.hits, hits: [] } })
        const hits = cut?.hits.map(({ index, id, sort, source }) => {
          return { _index: index, _id: id, _score: null, _source: JSON.parse(String(source)), sort }
        })
        expect(hits).toEqual(parsed.hits.hits)
      }),
    )
  })

  test("are refused if the answer is cut off or is something else, and nothing else happens", () => {
    const whole = Buffer.from('{"hits":{"hits":[{"_index":"a","_id":"1","_source":{"q":"x"},"sort":[1]}]},"x":1}')
    expect(cutHits(whole)?.hits).toHaveLength(1)
    for (let length = 0; length < whole.length; length++) expect(cutHits(whole.subarray(0, length))).toBeUndefined()
    fc.assert(
      fc.property(fc.string(), fc.nat(), (text, at) => {
        const broken = Buffer.concat([whole.subarray(0, at % whole.length), Buffer.from(text), whole])
        cutHits(broken)
      }),
    )
    for (const text of ["", "[]", "{}", "null", '{"hits":[]}', '{"hits":{"hits":{}}}', '{"hits":{"hits":[1]}}'])
      expect(cutHits(Buffer.from(text))).toBeUndefined()
  })
})
