import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { openAudit } from "#dist/release/read-audit.js"
import { readRelease } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import { aolText, marker, type Search, smallTown, timeAfter } from "../support/aol-log.ts"
import { groupBy } from "../support/group-by.ts"
import { publish } from "../support/publish.ts"
import { dataFile, type ReleasedRow, releasedRows } from "../support/released-rows.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const town = smallTown()
const log = write(aolText(town))

/** A release of the town with k = 3: its bytes, its rows and its manifest. */
async function release(options: Record<string, string>, source = log) {
  const folder = fresh()
  const { manifest, warnings } = await publish(source, folder, options)
  const bytes = readFileSync(dataFile(folder), "utf8")
  return { manifest, warnings, bytes, rows: await releasedRows(folder) }
}

const kept = town.filter(({ query }) => !query.includes(marker))
const pseudonym = /^u[a-z2-7]{12}$/

describe("--users", () => {
  test("session shows a random name for each session, and no id", async () => {
    const { bytes, rows, warnings } = await release({ users: "session" })
    const names = new Set(rows.map(({ AnonID }) => AnonID))
    expect(names.size).toBe(16) // eight people, twice each
    for (const name of names) expect(name).toMatch(pseudonym)
    expect(bytes).not.toContain("-user-")
    expect(warnings).toEqual([])
  })

  test("session is the default", async () => {
    const { manifest } = await release({})
    expect(manifest.parameters).toEqual({ k: 3, scrub: "default", users: "session", urls: "threshold", time: "hour" })
  })

  test("pseudonym shows one random name for each user, and warns", async () => {
    const { bytes, rows, warnings } = await release({ users: "pseudonym", time: "exact" })
    const histories = new Map<string, string[]>()
    for (const { AnonID, Query, QueryTime } of rows) {
      expect(AnonID).toMatch(pseudonym)
      histories.set(AnonID, [...(histories.get(AnonID) ?? []), `${Query} ${QueryTime}`])
    }
    const expected = groupBy(kept, ({ user }) => user)
    expect([...histories.values()].map((history) => history.join()).sort()).toEqual(
      [...expected.values()].map((own) => own.map(({ query, time }) => `${query.toLowerCase()} ${time}`).join()).sort(),
    )
    expect(bytes).not.toContain("-user-")
    expect(warnings.join()).toContain("--users pseudonym")
  })

  test.each(["equality", "affinity", "wordnet"] as const)(
    "day shows a random name for each user and UTC day: %s",
    async (method) => {
      // Eleven people in turn, half an hour and a second apart, so that a time reveals whose search it is.
      const week = Array.from({ length: 330 }, (_, i): Search => {
        return { user: `${marker}-user-${i % 11}`, query: ["dog", "cat", "horse"][i % 3], time: timeAfter(i * 1801) }
      })
      const source = write(aolText(week))
      const folder = fresh()
      await publish(source, folder, { method, users: "day", time: "exact" }, { audit: `${folder}-audit` })
      const rows = await releasedRows(folder)
      expect(rows).toHaveLength(week.length)
      const userAt = new Map(week.map(({ user, time }) => [time, user]))
      const dayOf = ({ QueryTime }: ReleasedRow) => `${userAt.get(QueryTime)} ${QueryTime.slice(0, 10)}`
      const sizes = (groups: Map<string, ReleasedRow[]>, of: (row: ReleasedRow) => string) =>
        new Set([...groups.values()].map((own) => new Set(own.map(of)).size))
      expect(sizes(groupBy(rows, dayOf), ({ AnonID }) => AnonID)).toEqual(new Set([1]))
      expect(
        sizes(
          groupBy(rows, ({ AnonID }) => AnonID),
          dayOf,
        ),
      ).toEqual(new Set([1]))
      const context = createContext({ workers: 1 })
      const { log } = await readLog(source, {}, context)
      const audit = await openAudit(`${folder}-audit`)
      const checks = await verify({ release: await readRelease(folder), log, audit }, context)
      expect(checks.filter(({ state }) => state === "failed")).toEqual([])
      expect(checks.find(({ name }) => name === "groups")?.state).toBe("passed")
    },
  )

  test("names are drawn anew for each release", async () => {
    const first = await release({ users: "pseudonym" })
    const second = await release({ users: "pseudonym" })
    const names = new Set(first.rows.map(({ AnonID }) => AnonID))
    expect(second.rows.filter(({ AnonID }) => names.has(AnonID))).toEqual([])
  })

  test("drop shows no user column at all", async () => {
    const { bytes, manifest } = await release({ users: "drop" })
    expect(bytes.split("\n")[0]).toBe("Query\tQueryTime\tItemRank\tClickURL")
    expect(manifest.columns).toEqual(["Query", "QueryTime", "ItemRank", "ClickURL"])
    expect(bytes).not.toContain("-user-")
    expect(bytes).not.toMatch(/\bu[a-z2-7]{12}\b/)
  })

  test("keep shows the log's own ids, and warns", async () => {
    const { rows, warnings } = await release({ users: "keep" })
    expect(rows.map(({ AnonID }) => AnonID).sort()).toEqual(kept.map(({ user }) => user).sort())
    expect(warnings.join()).toContain("--users keep")
  })
})

describe("--urls", () => {
  const clicked = (rows: readonly Record<string, string>[]) =>
    rows.map(({ ItemRank, ClickURL }) => `${ItemRank} ${ClickURL}`).filter((click) => click !== " ")

  test("threshold shows a url only when k users of the release clicked it", async () => {
    const { rows, bytes } = await release({ urls: "threshold" })
    const shared = "http://weather.example"
    expect(clicked(rows).sort()).toEqual([`1 ${shared}`, `1 ${shared}`, `2 ${shared}`, `2 ${shared}`])
    expect(bytes).not.toContain(marker)
  })

  test("threshold does not count clicks on queries that are withheld", async () => {
    const click = { time: timeAfter(0), rank: 1, url: "http://shared.example" }
    const rows = ["a", "b", "c"].flatMap((user): Search[] => [
      { user, query: "common", time: timeAfter(0) },
      { user, query: user === "a" ? "common" : `rare ${user}`, ...click },
    ])
    const { bytes } = await release({ urls: "threshold" }, write(aolText(rows)))
    expect(bytes).toContain("common")
    expect(bytes).not.toContain("shared.example")
  })

  test("threshold counts users, not clicks", async () => {
    const rows = ["a", "b", "c"].flatMap((user): Search[] => [
      { user, query: "common", time: timeAfter(0), ...(user === "c" ? {} : { rank: 1, url: "http://two.example" }) },
      { user, query: "common", time: timeAfter(9), ...(user === "c" ? {} : { rank: 1, url: "http://two.example" }) },
    ])
    const { bytes } = await release({ urls: "threshold" }, write(aolText(rows)))
    expect(bytes).not.toContain("two.example")
  })

  test("keep shows every url of the released rows", async () => {
    const { rows } = await release({ urls: "keep" })
    const expected = kept.filter(({ url }) => url !== undefined).map(({ rank, url }) => `${rank} ${url}`)
    expect(clicked(rows).sort()).toEqual(expected.sort())
  })

  test("drop shows neither url nor rank columns", async () => {
    const { bytes, manifest } = await release({ urls: "drop" })
    expect(bytes.split("\n")[0]).toBe("AnonID\tQuery\tQueryTime")
    expect(manifest.columns).toEqual(["AnonID", "Query", "QueryTime"])
    expect(bytes).not.toContain("example")
  })

  test.each(["threshold", "keep"])("%s shows a rank only with its url", async (urls) => {
    const bare = [...town, ...town.map(({ url: _, ...search }) => ({ ...search, query: "weather", rank: 77 }))]
    const { rows } = await release({ urls }, write(aolText(bare)))
    expect(rows.map(({ ItemRank }) => ItemRank)).not.toContain("77")
    expect(rows.filter(({ ItemRank, ClickURL }) => ItemRank !== "" && ClickURL === "")).toEqual([])
    expect(rows.filter(({ ItemRank, ClickURL }) => ItemRank === "" && ClickURL !== "")).toEqual([])
  })
})

describe("--time", () => {
  const times = (rows: readonly Record<string, string>[]) => rows.map(({ QueryTime }) => QueryTime).sort()

  test.each([
    ["hour", (time: string) => `${time.slice(0, 13)}:00:00`],
    ["day", (time: string) => `${time.slice(0, 10)} 00:00:00`],
    ["exact", (time: string) => time],
  ])("%s shows times with that precision", async (time, cut) => {
    const { rows } = await release({ time })
    expect(times(rows)).toEqual(kept.map((search) => cut(search.time)).sort())
  })

  test("hour cuts down before 1970 too", async () => {
    const early = ["a", "b", "c"].map((user) => ({ user, query: "moon", time: "1969-07-20 20:17:40" }))
    const { rows } = await release({ time: "hour" }, write(aolText(early)))
    expect(times(rows)).toEqual(Array(3).fill("1969-07-20 20:00:00"))
  })

  test("drop shows no time column", async () => {
    const { bytes, manifest } = await release({ time: "drop" })
    expect(bytes.split("\n")[0]).toBe("AnonID\tQuery\tItemRank\tClickURL")
    expect(manifest.columns).toEqual(["AnonID", "Query", "ItemRank", "ClickURL"])
    expect(bytes).not.toContain("2006")
  })
})

describe("released text", () => {
  test("is the normalised text; the raw text is never released", async () => {
    const texts = ["  New   YORK ", "new york", "ＮＥＷ York"]
    const rows = texts.map((query, user) => ({ user: `${user}`, query, time: timeAfter(0) }))
    const { bytes, rows: released } = await release({}, write(aolText(rows)))
    expect(released.map(({ Query }) => Query)).toEqual(["new york", "new york", "new york"])
    expect(bytes).not.toMatch(/YORK|York|Ｎ/)
  })

  test("is nothing but text with every column dropped", async () => {
    const { bytes } = await release({ users: "drop", urls: "drop", time: "drop" })
    expect(bytes.split("\n").slice(0, -1).sort()).toEqual(
      ["Query", ...kept.map(({ query }) => query.toLowerCase())].sort(),
    )
  })

  test("never has an unknown column", async () => {
    const [header, ...lines] = aolText(town).replace(/\n$/, "").split("\n")
    const wide = [`${header}\tCookie`, ...lines, ...lines.map((line) => `${line}\tsecret-cookie`)].join("\n")
    const { bytes, rows } = await release({}, write(wide))
    expect(bytes).not.toMatch(/cookie/i)
    expect(rows).toHaveLength(2 * kept.length)
  })
})

describe("--preset paper", () => {
  test("takes the paper's column policy in place of the defaults", async () => {
    const folder = fresh()
    const { manifest } = await publish(log, folder, { preset: "paper" })
    expect(manifest.parameters).toEqual({ k: 3, scrub: "none", users: "pseudonym", urls: "keep", time: "exact" })
    const rows = await releasedRows(folder)
    expect(new Set(rows.map(({ AnonID }) => AnonID)).size).toBe(8)
    expect(rows.map(({ QueryTime }) => QueryTime).sort()).toEqual(kept.map(({ time }) => time).sort())
    expect(rows.filter(({ ClickURL }) => ClickURL === `http://${marker}.example`)).toHaveLength(1)
  })

  test("gives way to explicit options", async () => {
    const { manifest } = await publish(log, fresh(), { preset: "paper", time: "day", k: 2 })
    expect(manifest.parameters).toEqual({ k: 2, scrub: "none", users: "pseudonym", urls: "keep", time: "day" })
  })
})
