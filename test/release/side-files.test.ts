import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, test } from "vitest"
import type { Receipt } from "#dist/release/receipt.js"
import { aolText, smallTown } from "../support/aol-log.ts"
import { groupBy } from "../support/group-by.ts"
import { publish, refusal } from "../support/publish.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { folder: scratch, fresh, write } = scratchFolder()
const town = smallTown()
const text = `${aolText(town)}no row\n`
const log = write(text)

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
const readReceipt = (path: string): Receipt => JSON.parse(readFileSync(path, "utf8"))
const besides = (folder: string) => readdirSync(scratch).filter((name) => name.startsWith(`${basename(folder)}.`))

describe("the receipt", () => {
  test("is next to the release, for its owner only, and describes the log", async () => {
    const folder = fresh()
    const { manifest } = await publish(log, folder)
    expect(besides(folder)).toEqual([`${basename(folder)}.receipt.json`])
    expect(mode(`${folder}.receipt.json`)).toBe("600")
    const queries = new Set(town.map(({ query }) => query.toLowerCase())).size
    expect(readReceipt(`${folder}.receipt.json`)).toEqual({
      queryveil: 1,
      release: manifest.id,
      method: "equality",
      input: {
        format: "aol",
        unit: "user",
        read: [{ format: "aol", columns: { user: "AnonID", query: "Query", time: "QueryTime" }, found: "known" }],
        encoding: "utf-8",
        cached: false,
        files: [
          {
            path: log,
            bytes: Buffer.byteLength(text),
            lines: town.length + 2,
            sha256: createHash("sha256").update(text).digest("hex"),
          },
        ],
        lines: town.length + 2,
        rejected: { columns: 1 },
        collapsed: 0,
        rows: town.length,
        events: town.length,
        users: 8,
        queries,
        urls: 10,
      },
      withheld: { "rows of queries under k": 10, "queries under k": queries - 3 },
      released: { rows: town.length - 10 },
      warnings: [expect.stringMatching(/^1 lines .* too few or too many columns/)],
    })
  })

  test.each(["out/", "out/.", "./out", "sub/../out"])(
    "of -o %s is next to the release, not in it",
    async (spelling) => {
      const place = fresh()
      await publish(log, join(place, "earlier")) // makes the folder
      const folder = `${place}/${spelling}`
      await publish(log, `${place}/out`)
      const { manifest } = await publish(log, folder, {}, { force: true })
      expect(readdirSync(place).sort()).toEqual(["earlier", "earlier.receipt.json", "out", "out.receipt.json"])
      expect(readdirSync(join(place, "out")).sort()).toEqual(["log.tsv", "release.json"])
      expect(readReceipt(join(place, "out.receipt.json")).release).toBe(manifest.id)
    },
  )
})

describe("the audit folder", () => {
  test("is for the owner only and names the release by its id", async () => {
    const [folder, audit] = [fresh(), fresh()]
    const { manifest } = await publish(log, folder, {}, { audit })
    expect(readdirSync(audit).sort()).toEqual(["audit.json", "queries.tsv", "trail.tsv"])
    expect(mode(audit)).toBe("700")
    for (const name of readdirSync(audit)) expect(mode(join(audit, name))).toBe("600")
    expect(JSON.parse(readFileSync(join(audit, "audit.json"), "utf8"))).toEqual({
      queryveil: 1,
      release: manifest.id,
      files: ["queries.tsv", "trail.tsv"],
      places: {},
    })
  })

  test("says how many users each query of the log has and what became of it", async () => {
    const audit = fresh()
    await publish(log, fresh(), {}, { audit })
    const [header, ...rows] = readFileSync(join(audit, "queries.tsv"), "utf8").trimEnd().split("\n")
    expect(header).toBe("query\tusers\tstate")
    const expected = [...groupBy(town, ({ query }) => query.toLowerCase())].map(([query, searches]) => {
      const users = new Set(searches.map(({ user }) => user)).size
      return [query, users, users >= 3 ? "released" : "withheld"].join("\t")
    })
    expect(rows.sort()).toEqual(expected.sort())
  })

  test("leads from every released row to the line of its search and to a line of its user", async () => {
    const [folder, audit] = [fresh(), fresh()]
    await publish(log, folder, { time: "exact", users: "keep" }, { audit })
    const table = (path: string) =>
      readFileSync(path, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => line.split("\t"))
    const [, ...rows] = table(join(folder, "log.tsv"))
    const [header, ...trail] = table(join(audit, "trail.tsv"))
    expect(header).toEqual(["row", "query_row", "user_row"])
    expect(trail.map(([row]) => Number(row))).toEqual(rows.map((_, i) => i + 1))
    const lines = table(log)
    rows.forEach(([user, query, time], i) => {
      const [, search = "", person = ""] = trail[i] ?? []
      const [own, text = "", at] = lines[Number(search) - 1] ?? []
      expect([own, text.toLowerCase(), at]).toEqual([user, query, time])
      expect(lines[Number(person) - 1]?.[0]).toBe(user)
    })
  })

  test("is not written by default", async () => {
    const folder = fresh()
    await publish(log, folder)
    expect(besides(folder)).toHaveLength(1)
  })

  test.each([
    ["inside the release", "out", "out/audit"],
    ["in the place of the release", "out", "out"],
    ["around the release", "audit/out", "audit"],
  ])("is refused %s, because one of the two would be lost", async (_name, out, aside) => {
    const place = fresh()
    await publish(log, join(place, "earlier")) // makes the folder
    const [folder, audit] = [join(place, out), join(place, aside)]
    expect(await refusal(publish(log, folder, {}, { audit }))).toMatchObject({ name: "QueryveilError" })
    expect(readdirSync(place).sort()).toEqual(["earlier", "earlier.receipt.json"])
  })

  test("is refused inside the release, also by another way there", async () => {
    const place = fresh()
    await publish(log, join(place, "earlier")) // makes the folder
    symlinkSync(place, join(place, "link"))
    const refused = refusal(publish(log, join(place, "out"), {}, { audit: join(place, "link", "out", "audit") }))
    expect(await refused).toMatchObject({ code: "usage" })
    expect(readdirSync(place).sort()).toEqual(["earlier", "earlier.receipt.json", "link"])
  })

  test("is not left behind when the release could not be written", async () => {
    const [folder, audit] = [fresh(), fresh()]
    await publish(log, join(`${folder}.receipt.json`, "in-the-way")) // the receipt's name is taken by a folder
    expect(await refusal(publish(log, folder, {}, { audit }))).toMatchObject({ code: "output-unwritable" })
    expect([existsSync(folder), existsSync(audit)]).toEqual([false, false])
  })
})
