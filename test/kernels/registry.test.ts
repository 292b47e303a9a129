import { describe, expect, test } from "vitest"
import { Registry } from "#dist/kernels/registry.js"

const open = () => new Registry<{ name: string }>("attack", ["first", "second"])

describe("a registry", () => {
  test("lists what is built in first, whenever it is loaded, and what is added later too", () => {
    const registry = open()
    registry.add({ name: "early" })
    const list = registry.complete([{ name: "first" }, { name: "second" }])
    registry.add({ name: "late" })
    expect(list.map(({ name }) => name)).toEqual(["first", "second", "early", "late"])
    expect(registry.added.map(({ name }) => name)).toEqual(["early", "late"])
  })

  test.each(["second", "own"])("refuses the name %s a second time", (name) => {
    const registry = open()
    registry.add({ name: "own" })
    expect(() => registry.add({ name })).toThrow(expect.objectContaining({ code: "extension-name" }))
  })

  test.each(["", "Own", "own_name", "-own", "own--name", "own name"])("refuses the malformed name '%s'", (name) => {
    expect(() => open().add({ name })).toThrow(/lower-case letters/)
  })
})
