import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { inspectLog } from "#dist/log/inspect-log.js"
import { readLog } from "#dist/log/read-log.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"

const { at } = scratchFolder()
const rows = 200_000
const users = 3600
await synthLog(at("log.tsv"), { rows, users })
const context = createContext({ workers: 2 })
const { log } = await readLog(at("log.tsv"), { strict: true }, context) // refuses lines that are not rows
const inspection = await inspectLog(log, {}, context)

const share = (holds: (row: number) => boolean) => {
  let count = 0
  for (let row = 0; row < log.rows; row++) if (holds(row)) count++
  return count / log.rows
}

// The bounds are wide: a small log has fewer repeats than a large one. The fit at full size is a bench (synth-fit).
describe("a synthetic log of 200,000 rows is shaped like AOL's", () => {
  test("has the rows, users and events", () => {
    expect([inspection.size.rows, inspection.size.users]).toEqual([rows, users])
    expect(inspection.size.events / rows).toBeGreaterThan(0.76)
    expect(inspection.size.events / rows).toBeLessThan(0.82)
  })

  test("has clicks on about half of its rows, the first ranks most", () => {
    expect(Math.abs(share((row) => log.url[row] >= 0) - 0.534)).toBeLessThan(0.03)
    const ofRank = [1, 2, 3, 4, 5].map((rank) => share((row) => log.rank[row] === rank))
    expect(ofRank).toEqual(ofRank.toSorted((a, b) => b - a))
  })

  test("has query lengths as in Table 1 of Carpineto & Romano 2015", () => {
    const events = [0.4121, 0.2453, 0.1569, 0.0888, 0.0966]
    inspection.lengths.forEach(({ eventShare }, i) => {
      expect(Math.abs(eventShare - events[i])).toBeLessThan(0.02)
    })
    const distinct = [0.2664, 0.2022, 0.2056, 0.1456, 0.1799]
    inspection.lengths.forEach(({ queryShare }, i) => {
      expect(Math.abs(queryShare - distinct[i])).toBeLessThan(0.09)
    })
  })

  test("has mostly queries of one user, and some that very many share", () => {
    const alone = inspection.exposure?.queries.find(({ fewerThan }) => fewerThan === 2)?.queryShare
    expect(alone).toBeGreaterThan(0.88)
    expect(alone).toBeLessThan(0.97)
    const usersOf = distinctUsers()
    expect(Math.max(...usersOf)).toBeGreaterThan(users / 50)
  })

  test("has users of very different activity", () => {
    const rowsOf = new Uint32Array(users)
    for (const user of log.user) rowsOf[user]++
    const sorted = rowsOf.toSorted()
    expect(sorted[users - 1] ?? 0).toBeGreaterThan(20 * (rows / users))
    expect(sorted[users >> 1] ?? 0).toBeLessThan(0.5 * (rows / users))
  })

  test("has refinements of popular queries before, after and on both sides", () => {
    const usersOf = distinctUsers()
    const heads = new Set<string>()
    usersOf.forEach((count, query) => {
      const text = log.queries.text(query)
      if (count >= 3 && text.split(" ").length === 2) heads.add(text)
    })
    const found = { after: 0, before: 0, both: 0 }
    for (let query = 0; query < log.queries.size; query++) {
      const words = log.queries.text(query).split(" ")
      if (words.length > 2 && heads.has(words.slice(0, 2).join(" "))) found.after++
      if (words.length > 2 && heads.has(words.slice(-2).join(" "))) found.before++
      if (words.length > 3 && heads.has(words.slice(1, 3).join(" "))) found.both++
    }
    expect(found.after).toBeGreaterThan(500)
    expect(found.before).toBeGreaterThan(300)
    expect(found.both).toBeGreaterThan(150)
  })

  test("follows day and night, and has sessions", () => {
    const hour = (row: number) => Math.floor((log.time[row] % 86400) / 3600)
    expect(share((row) => hour(row) >= 18 && hour(row) < 22)).toBeGreaterThan(
      3 * share((row) => hour(row) >= 2 && hour(row) < 6),
    )
    const gaps: number[] = []
    for (let row = 1; row < log.rows; row++)
      if (log.user[row] === log.user[row - 1] && log.time[row] !== log.time[row - 1])
        gaps.push(log.time[row] - log.time[row - 1])
    const short = gaps.filter((gap) => gap < 900).length / gaps.length
    const between = gaps.filter((gap) => gap >= 900 && gap < 1800).length / gaps.length
    expect(short).toBeGreaterThan(0.6)
    expect(between).toBeLessThan(0.02) // sessions end, or they continue
  })

  test("has users who come back to what they searched before", () => {
    let again = 0
    let seen = new Set<number>()
    for (let row = 1; row < log.rows; row++) {
      if (log.user[row] !== log.user[row - 1]) seen = new Set()
      else if (log.query[row] !== log.query[row - 1]) {
        if (seen.has(log.query[row])) again++
        seen.add(log.query[row])
      }
    }
    expect(again / log.rows).toBeGreaterThan(0.05)
  })

  test("leads the same query to the same result at a rank", () => {
    const resultOf = new Map<string, number>()
    for (let row = 0; row < log.rows; row++) {
      if (log.url[row] < 0) continue
      const key = `${log.query[row]} ${log.rank[row]}`
      const known = resultOf.get(key)
      if (known === undefined) resultOf.set(key, log.url[row])
      else if (known !== log.url[row]) resultOf.set("other", (resultOf.get("other") ?? 0) + 1)
    }
    // A text that two topics have may lead to the sites of either.
    expect((resultOf.get("other") ?? 0) / log.rows).toBeLessThan(0.03)
  })
})

function distinctUsers(): Uint32Array {
  const counts = new Uint32Array(log.queries.size)
  const last = new Int32Array(log.queries.size).fill(-1)
  for (let row = 0; row < log.rows; row++) {
    if (last[log.query[row]] === log.user[row]) continue
    last[log.query[row]] = log.user[row]
    counts[log.query[row]]++
  }
  return counts
}
