import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { elementLines } from "#dist/server/http/element-lines.js"

const linesOf = (text: string) => {
  const found = elementLines(Buffer.from(text))
  return found === undefined ? undefined : { ...found, bytes: Buffer.from(found.bytes).toString() }
}

describe("the elements of a body", () => {
  test("are those of the array, one per line, however it is written", () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), fc.nat(3), (elements, indent) => {
        const { bytes = "", lines } = linesOf(JSON.stringify(elements, null, indent)) ?? {}
        expect(lines).toBe(elements.length)
        expect(
          bytes
            .split("\n")
            .slice(0, -1)
            .map((line) => JSON.parse(line)),
        ).toEqual(JSON.parse(JSON.stringify(elements)))
      }),
    )
  })

  test("are one for an object, and none for an empty array", () => {
    expect(linesOf('\n{"a":\n[1,{"b":2}]}\n')).toEqual({
      bytes: '{"a": [1,{"b":2}]} \n'.replace("} \n", "}\n"),
      lines: 1,
    })
    expect(linesOf("[ ]")).toEqual({ bytes: "", lines: 0 })
  })

  test("keep their numbers if one is broken, and a broken string splits no lines", () => {
    expect(linesOf('[{"a":1},{"a":},{"a":"x\ny"}]')).toEqual({ bytes: '{"a":1}\n{"a":}\n{"a":"x y"}\n', lines: 3 })
  })

  test("are not looked for in an incomplete document", () => {
    for (const text of ["", "  ", "1", '"[]"', "[{}", '{"a":1', '[{"a":"]', "[{}] x", "{}{}"])
      expect(linesOf(text)).toBeUndefined()
  })
})
