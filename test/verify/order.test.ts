import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import type { OptionValues } from "#dist/release/anonymize.js"
import { openAudit } from "#dist/release/read-audit.js"
import { readRelease } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { isOpen } from "../support/open-checks.ts"
import { publish } from "../support/publish.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { cellsOf, type Tampering, tamper, withCell } from "../support/tamper.ts"

const { at, fresh, write } = scratchFolder()
const context = createContext({ workers: 1 })
const [user, query, time, , url] = [0, 1, 2, 3, 4]

/** Forty people search for the same ten things, in six sessions each, with four searches within the hour. */
const searches = Array.from({ length: 40 }, (_, person): Search[] =>
  Array.from({ length: 24 }, (_, i): Search => {
    const seconds = Math.floor(i / 4) * 7 * 3600 + (i % 4) * 300 + person
    const page = (person + i) % 5
    const click = i % 2 === 0 ? { rank: 1 + (person % 3), url: `http://page-${page}.example` } : {}
    return { user: `person-${person}`, query: `page ${page}`, time: timeAfter(seconds), ...click }
  }),
).flat()
const original = write(aolText(searches), "people.tsv")

const releases: Record<string, OptionValues> = {
  session: {},
  day: { users: "day" },
  drop: { users: "drop" },
  groups: { method: "groups" },
}

beforeAll(async () => {
  for (const [name, options] of Object.entries(releases))
    await publish(original, at(name), options, { audit: at(`${name}-audit`) })
})

async function failing(folder: string, audit: string, input = original) {
  const { log } = await readLog(input, {}, context)
  const checks = await verify({ release: await readRelease(folder), log, audit: await openAudit(audit) }, context)
  return checks.filter(isOpen).map(({ name }) => name)
}

/** Reorders the rows of a release, and with them the trail of its audit. */
async function reordered(
  name: string,
  order: (rows: { cells: string[]; trail: string[] }[]) => void,
  input = original,
) {
  const audit = fresh("audit")
  cpSync(at(`${name}-audit`), audit, { recursive: true })
  const path = join(audit, "trail.tsv")
  const [head = "", ...trail] = readFileSync(path, "utf8").trimEnd().split("\n")
  const folder = tamper(at(name), fresh(), ({ lines }: Tampering) => {
    const rows = lines.slice(1).map((line, i) => ({ cells: cellsOf(line), trail: cellsOf(trail[i] ?? "") }))
    order(rows)
    lines.splice(1, rows.length, ...rows.map(({ cells }) => cells.join("\t")))
    const numbered = rows.map((row, i) => [String(i + 1), ...row.trail.slice(1)].join("\t"))
    writeFileSync(path, `${[head, ...numbered].join("\n")}\n`)
  })
  return failing(folder, audit, input)
}

const lineOf = ({ trail }: { trail: string[] }) => Number(trail[1])
const personOf = ({ trail }: { trail: string[] }) => Number(trail[2])

describe("a release whose order and names are random", () => {
  test.each(Object.keys(releases))("passes: %s", async (name) => {
    expect(await failing(at(name), at(`${name}-audit`))).toEqual([])
  })
})

describe("an order that follows people or lines fails:", () => {
  test("sessions of one person next to each other", async () => {
    // People are in random order, so that only neighbouring rows reveal them.
    const place = new Map<number, number>()
    const drawn = (person: number) => place.get(person) ?? place.set(person, (person * 7919) % 104729).get(person) ?? 0
    const found = await reordered("session", (rows) => rows.sort((a, b) => drawn(personOf(a)) - drawn(personOf(b))))
    expect(found).toEqual(["order"])
  })

  test("rows without names in the order of the log", async () => {
    expect(await reordered("drop", (rows) => rows.sort((a, b) => lineOf(a) - lineOf(b)))).toEqual(["order"])
  })

  test.each([
    ["twelve rows without names", 12, ["order"]],
    ["but eleven are too few to check", 11, []],
  ])("%s", async (_, people, found) => {
    const one = (_: unknown, i: number): Search => ({ user: `person-${i}`, query: "page", time: timeAfter(i) })
    const input = write(aolText(Array.from({ length: people }, one)), `${people}.tsv`)
    await publish(input, at(`few-${people}`), { users: "drop" }, { audit: at(`few-${people}-audit`) })
    const inOrder = (rows: { trail: string[] }[]) => rows.sort((a, b) => lineOf(a) - lineOf(b))
    expect(await reordered(`few-${people}`, inOrder, input)).toEqual(found)
  })

  test("names of groups in the order of users", async () => {
    expect(await reordered("groups", (rows) => rows.sort((a, b) => personOf(a) - personOf(b)))).toContain("order")
  })
})

describe("names that follow people fail:", () => {
  const renamed = (name: string, nameOf: (person: number, old: string) => string) =>
    reordered(name, (rows) => {
      for (const row of rows) row.cells[user] = nameOf(personOf(row), row.cells[user])
    })
  const letters = "abcdefghijklmnopqrstuvwxyz234567"

  test("a prefix for each person", async () => {
    expect(
      await renamed(
        "session",
        (person, old) => `u${letters[person % 32]}${letters[(person >> 5) % 32]}${old.slice(3)}`,
      ),
    ).toEqual(["order"])
  })

  test("a letter in the middle for each person", async () => {
    const found = await renamed("session", (person, old) => `${old.slice(0, 6)}${letters[person % 31]}${old.slice(7)}`)
    expect(found).toEqual(["order"])
  })

  test("names that rise with the users", async () => {
    const found = await renamed(
      "groups",
      (person, old) => `u${letters[(person >> 5) % 32]}${letters[person % 32]}${old.slice(3)}`,
    )
    expect(found).toContain("order")
  })
})

describe("rows that were moved within or between names fail:", () => {
  test("the rows of a session reversed", async () => {
    const found = await reordered("session", (rows) => {
      const name = rows[0]?.cells[user]
      const end = rows.findIndex(({ cells }) => cells[user] !== name)
      rows.splice(0, end, ...rows.slice(0, end).reverse())
    })
    expect(found).toEqual(expect.arrayContaining(["groups", "order"]))
  })

  test("a click moved to another name with the same query and hour", async () => {
    const folder = tamper(at("day"), fresh(), ({ lines }) => {
      const rows = lines.map(cellsOf)
      const from = rows.findIndex((cells, i) => i > 0 && cells[url] !== "")
      const to = rows.findIndex(
        (cells, i) =>
          i > 0 &&
          cells[url] === "" &&
          cells[user] !== rows[from]?.[user] &&
          cells[query] === rows[from]?.[query] &&
          cells[time] === rows[from]?.[time],
      )
      expect(Math.min(from, to)).toBeGreaterThan(0)
      for (const column of [3, 4]) {
        lines[to] = withCell(lines[to], column, rows[from]?.[column] ?? "")
        lines[from] = withCell(lines[from], column, "")
      }
    })
    expect(await failing(folder, at("day-audit"))).toContain("groups")
  })
})

describe("the order of a large release", () => {
  test("is checked with more names than a call takes arguments", async () => {
    const many = Array.from({ length: 150_000 }, (_, i) => ({ user: `p${i}`, query: "weather", time: timeAfter(i) }))
    const large = write(aolText(many), "many.tsv")
    const [folder, audit] = [fresh("large"), fresh("large-audit")]
    await publish(large, folder, { k: 2 }, { audit })
    const { log } = await readLog(large, {}, context)
    const checks = await verify({ release: await readRelease(folder), log, audit: await openAudit(audit) }, context)
    expect(checks.find(({ name }) => name === "order")?.state).toBe("passed")
  })
})
