import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { readRelease } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import { matchTiedGroups } from "#dist/verify/tied-groups.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { isOpen } from "../support/open-checks.ts"
import { publish } from "../support/publish.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { cellsOf, type Tampering, tamper } from "../support/tamper.ts"

const { at, fresh, write } = scratchFolder()
const context = createContext({ workers: 1 })

/** Ten people search for three things: the first two in the same second, the third a minute later. */
const searches = Array.from({ length: 10 }, (_, person): Search[] =>
  ["one", "two", "three"].map((query, i): Search => {
    return { user: `person-${person}`, query, time: timeAfter(person * 10 + (i === 2 ? 60 : 0)) }
  }),
).flat()
const original = write(aolText(searches), "ties.tsv")

/** The checks that fail when the rows of each name are put into another order. */
async function failing(order: readonly number[]) {
  const folder = tamper(at("ties"), fresh(), ({ lines }: Tampering) => {
    for (let from = 1; from + 2 < lines.length; from += 3) {
      const three = lines.slice(from, from + 3)
      expect(new Set(three.map((line) => cellsOf(line)[0])).size).toBe(1)
      lines.splice(from, 3, ...order.map((place) => three[place] ?? ""))
    }
  })
  const { log } = await readLog(original, {}, context)
  const checks = await verify({ release: await readRelease(folder), log }, context)
  return checks.filter((check) => isOpen(check) && check.state === "failed").map(({ name }) => name)
}

describe("rows of one name", () => {
  test("may be in any order if they are of the same second, and in no other order", async () => {
    await publish(original, at("ties"), {})
    expect(await failing([0, 1, 2])).toEqual([])
    expect(await failing([1, 0, 2])).toEqual([])
    expect(await failing([0, 2, 1])).toContain("groups")
    expect(await failing([2, 0, 1])).toContain("groups")
  })

  test("fit each original group once", () => {
    const tied = [[["a", "b"]], [["a"], ["b"]]]
    expect(
      matchTiedGroups(
        [
          ["a", "b"],
          ["b", "a"],
        ],
        tied,
      ),
    ).toBe(true)
    expect(
      matchTiedGroups(
        [
          ["b", "a"],
          ["a", "b"],
        ],
        tied,
      ),
    ).toBe(true)
    expect(
      matchTiedGroups(
        [
          ["b", "a"],
          ["b", "a"],
        ],
        tied,
      ),
    ).toBe(false)
    expect(matchTiedGroups([["a", "b"]], tied)).toBe(false)
    expect(
      matchTiedGroups(
        [
          ["a", "c"],
          ["a", "b"],
        ],
        tied,
      ),
    ).toBe(false)
  })
})
