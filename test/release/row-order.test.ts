import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { anonymize } from "#dist/release/anonymize.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { groupBy } from "../support/group-by.ts"
import { publish } from "../support/publish.ts"
import { releasedRows } from "../support/released-rows.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()

async function release(searches: readonly Search[], options: Record<string, string | number>) {
  const folder = fresh()
  await publish(write(aolText(searches)), folder, options)
  return releasedRows(folder)
}

/** Names one after another. Repeats of a name in a row count once. */
const runs = (names: readonly string[]) => names.filter((name, i) => name !== names[i - 1])

/** One user's searches at these seconds, in the sessions of the release: how many searches each session has, sorted. */
async function sessionSizes(seconds: readonly number[], withheld: readonly number[] = []): Promise<number[]> {
  const rows = await release(
    [
      ...seconds.map((at) => ({ user: "1", query: "common", time: timeAfter(at) })),
      ...withheld.map((at) => ({ user: "1", query: "mine alone", time: timeAfter(at) })),
      { user: "2", query: "common", time: timeAfter(0) },
    ],
    { k: 2 },
  )
  const sizes = [...groupBy(rows, ({ AnonID }) => AnonID).values()].map(({ length }) => length).sort((a, b) => a - b)
  return sizes.slice(1) // the other user has one
}

describe("a session", () => {
  test("continues after 30 idle minutes, and ends after one second more", async () => {
    expect(await sessionSizes([0, 1800])).toEqual([2])
    expect(await sessionSizes([0, 1801])).toEqual([1, 1])
  })

  test("may be longer than 30 minutes", async () => {
    expect(await sessionSizes([0, 1500, 3000, 4500, 6000])).toEqual([5])
  })

  test("ends between released rows alone: what was withheld in between does not join them", async () => {
    expect(await sessionSizes([0, 2400], [600, 1200, 1800])).toEqual([1, 1])
  })

  test("belongs to one user, though another searches at the same time", async () => {
    const both = ["1", "2"].map((user) => ({ user, query: "common", time: timeAfter(0) }))
    const rows = await release(both, { k: 2 })
    expect(new Set(rows.map(({ AnonID }) => AnonID)).size).toBe(2)
  })
})

/** 30 users with two sessions of three searches each. The time identifies user, session and position in it. */
const busy = Array.from({ length: 30 }, (_, user) =>
  [0, 1, 2, 10000, 10001, 10002].map((at, place) => ({
    user: `${user}`,
    query: `common ${place % 3}`,
    time: timeAfter(user * 100_000 + at),
  })),
).flat()
const inOrder = (rows: readonly Record<string, string>[]) => rows.map(({ QueryTime }) => QueryTime)

describe("the rows of a release", () => {
  test.each([
    ["session", 60, 3],
    ["pseudonym", 30, 6],
  ])("with --users %s: whole groups, their rows in order", async (users, groups, size) => {
    const rows = await release(busy, { users, time: "exact", k: 30 })
    expect(rows).toHaveLength(180)
    expect(runs(rows.map(({ AnonID }) => AnonID))).toHaveLength(groups)
    for (const group of groupBy(rows, ({ AnonID }) => AnonID).values()) {
      expect(group).toHaveLength(size)
      expect(inOrder(group)).toEqual(inOrder(group).toSorted())
    }
  })

  test.each(["session", "pseudonym", "keep", "drop"])("with --users %s: in another order each time", async (users) => {
    // Two shuffles of 30 groups agree with a probability of 1 in 30! ≈ 3e32.
    const first = inOrder(await release(busy, { users, time: "exact", k: 30 }))
    const second = inOrder(await release(busy, { users, time: "exact", k: 30 }))
    expect(first.toSorted()).toEqual(second.toSorted())
    expect(first).not.toEqual(second)
    expect(first).not.toEqual(first.toSorted())
  })

  test("with --users drop: nothing keeps a user's rows together", async () => {
    // Of 180 rows in random order, 6 per user, about 5 are next to a row of their user. If sessions stayed together, 60
    // would be.
    const rows = await release(busy, { users: "drop", time: "exact", k: 30 })
    const owner = new Map(busy.map(({ user, time }) => [time, user]))
    const owners = rows.map(({ QueryTime }) => owner.get(QueryTime))
    const together = owners.filter((user, i) => i > 0 && user === owners[i - 1]).length
    expect(together).toBeLessThan(30) // reached by chance about once in 10¹³ runs
  })

  test("every session is equally likely to come first", async () => {
    const context = createContext({ workers: 1 })
    const four = [0, 1, 2, 3].map((user) => ({ user: `${user}`, query: "common", time: timeAfter(user) }))
    const { log } = await readLog(write(aolText(four)), {}, context)
    const counts = [0, 0, 0, 0]
    for (let seed = 0; seed < 800; seed++) {
      const draft = await anonymize(log, { method: "equality", k: 2 }, createContext({ seed }))
      counts[draft.rows.order[0]]++
    }
    const chiSquare = counts.reduce((sum, count) => sum + (count - 200) ** 2 / 200, 0)
    // Three degrees of freedom: a fair shuffle exceeds 16.27 with probability 0.001. These seeds are fixed, so the
    // result never changes.
    expect(chiSquare).toBeLessThan(16.27)
  })
})
