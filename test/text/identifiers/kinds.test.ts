import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { QueryveilError } from "#dist/kernels/error.js"
import {
  allKinds,
  defaultKinds,
  formatKinds,
  identifierKinds,
  kindBit,
  kindSet,
  kindsIn,
  noKinds,
  parseKinds,
} from "#dist/text/identifiers/kinds.js"
import { detectorOf, detectors } from "#dist/text/identifiers/registry.js"

describe("--scrub", () => {
  test("accepts all, none, and default, which is all but person", () => {
    expect(kindsIn(parseKinds("all"))).toEqual(identifierKinds)
    expect(kindsIn(parseKinds("none"))).toEqual([])
    expect(kindsIn(parseKinds("default"))).toEqual(identifierKinds.filter((kind) => kind !== "person"))
  })

  test("accepts kinds separated by commas, in any order, spaced or repeated", () => {
    expect(parseKinds("email,phone")).toBe(kindSet(["email", "phone"]))
    expect(parseKinds("phone, email,phone")).toBe(kindSet(["email", "phone"]))
    expect(parseKinds("person")).toBe(kindBit("person"))
  })

  test.each(["", "mail", "email,", "all,email", "Email", "email;phone"])("refuses %j and lists the kinds", (value) => {
    expect(() => parseKinds(value, { flag: "--scrub" })).toThrow(QueryveilError)
    expect(() => parseKinds(value)).toThrow(
      expect.objectContaining({
        code: "option-value",
        fields: { flag: "--scrub" },
        message: expect.stringMatching(/email,phone,card/),
      }),
    )
  })

  test("reads back what it writes, for every set of kinds", () => {
    fc.assert(
      fc.property(fc.integer({ min: noKinds, max: allKinds }), (set) => {
        expect(parseKinds(formatKinds(set))).toBe(set)
        expect(kindSet(kindsIn(set))).toBe(set)
      }),
    )
    expect([formatKinds(allKinds), formatKinds(defaultKinds), formatKinds(noKinds)]).toEqual(["all", "default", "none"])
  })
})

describe("the registry", () => {
  test("has one detector for each kind, with a summary, in the order of the bits", () => {
    expect(detectors.map(({ kind }) => kind)).toEqual(identifierKinds)
    for (const kind of identifierKinds) {
      expect(detectorOf(kind).kind).toBe(kind)
      expect(detectorOf(kind).summary).not.toBe("")
    }
  })

  test("fits a set of kinds in sixteen bits", () => {
    expect(allKinds).toBeLessThan(2 ** 16)
  })
})
