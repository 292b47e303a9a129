import { decodeSections, encodeSections } from "#dist/files/section-file.js"
import { openSectionInput } from "../support/sections.ts"
import { ensure, type FuzzTarget } from "../target.ts"

const format = { magic: "fuzzed sections\n", version: 3 }

/** Files of typed arrays: caches, lexicons, taxonomies. */
export const target: FuzzTarget = {
  covers: ["files/section-file"],
  words: ['"sections":[', '"bytes":', '"crc32":', '"version":3', '"name":"a"', "null", "-1", "1e15", "[]", "{}"],
  seeds: () => {
    const sections = ["a", "b"].map((name, i) => ({ name, bytes: new Uint8Array(4 * i + 4).fill(i) }))
    const file = Buffer.concat(encodeSections(sections, { ...format, facts: { rows: 1 } }))
    return [0, 1].map((byte) => Buffer.concat([Uint8Array.of(byte), file]))
  },
  check: async (input) => {
    const file = openSectionInput(input, format.magic)
    const read = await decodeSections(sourceOf(file), format)
    if (read.state !== "read") return
    const { facts } = read
    const sections = [...read.sections].map(([name, bytes]) => ({ name, bytes: new Uint8Array(bytes) }))
    const again = await decodeSections(sourceOf(Buffer.concat(encodeSections(sections, { ...format, facts }))), format)
    ensure(again.state === "read", "sections that were read can be written and read again")
    ensure(JSON.stringify(again.facts) === JSON.stringify(facts), "facts are read as they were written")
    for (const { name, bytes } of sections)
      ensure(
        Buffer.from(again.sections.get(name) ?? new SharedArrayBuffer(0)).equals(bytes),
        "sections are read as they were written",
      )
  },
}

function sourceOf(file: Buffer) {
  let at = 0
  return {
    size: file.length,
    read: async (into: Uint8Array) => {
      if (at + into.length > file.length) return false
      into.set(file.subarray(at, at + into.length))
      at += into.length
      return true
    },
  }
}
