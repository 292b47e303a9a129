import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { openAudit } from "#dist/release/read-audit.js"
import { readRelease } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import type { Check } from "#dist/verify/verifier.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { isOpen } from "../support/open-checks.ts"
import { publish } from "../support/publish.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { cellsOf, setCell, type Tampering, tamper, withCell } from "../support/tamper.ts"

const { at, fresh, write } = scratchFolder()
const context = createContext({ workers: 1 })
const [user, query, time, rank, url] = [0, 1, 2, 3, 4]
const modes = ["identical", "exact", "paper", "totals"] as const

/**
 * Six readers of news and six of maps, each a few times. Four use the text `map` for the same page as `maps`, so both
 * are one cluster. Everyone looks at the weather once. `games` belongs to one person.
 */
const people = Array.from({ length: 12 }, (_, i): Search[] => {
  const search = (text: string, site: string, hours: number): Search => {
    return { user: `person-${i}`, query: text, time: timeAfter(hours * 3600 + i), rank: 1, url: `http://${site}` }
  }
  const reads = Array.from({ length: 2 + (i % 3) }, (_, n) =>
    i < 6 ? search("news", "news", n) : search(i < 10 && n === 0 ? "map" : "maps", "maps", n + 5),
  )
  return [...reads, search("weather", "weather", 12), ...(i === 3 ? [search("games", "games", 2)] : [])]
}).flat()
const original = write(aolText(people), "people.tsv")

beforeAll(async () => {
  for (const mode of modes) {
    await publish(original, at(mode), { method: "groups", k: 3, mode }, { audit: at(`${mode}-audit`) })
  }
})

async function check(folder: string, audit: string): Promise<Check[]> {
  const { log } = await readLog(original, {}, context)
  return verify({ release: await readRelease(folder), log, audit: await openAudit(audit) }, context)
}

const failed = (checks: readonly Check[]) => checks.filter(({ state }) => state === "failed").map(({ name }) => name)

/** Names of the checks that fail on a changed copy of a release whose digests were recomputed. */
const failures = async (mode: (typeof modes)[number], change: (release: Tampering) => void) =>
  failed(await check(tamper(at(mode), fresh(), change), at(`${mode}-audit`)))

/** Names of the checks that fail with a changed copy of an audit table. The header is line 0. */
async function auditFailures(mode: (typeof modes)[number], table: string, change: (lines: string[][]) => void) {
  const copy = fresh("audit")
  cpSync(at(`${mode}-audit`), copy, { recursive: true })
  const path = join(copy, `${table}.tsv`)
  const lines = readFileSync(path, "utf8").trimEnd().split("\n").map(cellsOf)
  change(lines)
  writeFileSync(path, lines.map((line) => `${line.join("\t")}\n`).join(""))
  return failed(await check(at(mode), copy))
}

const lineWith = (lines: string[][], column: number, value: string) => {
  const line = lines.find((cells) => cells[column] === value)
  if (line === undefined) throw new Error("there is no such line")
  return line
}

describe("a release of groups that was not changed", () => {
  test.each(modes)("verifies in mode %s", async (mode) => {
    expect((await check(at(mode), at(`${mode}-audit`))).filter(isOpen)).toEqual([])
  })

  test("is not checked in full without the log or the audit, and says what it needs", async () => {
    const release = await readRelease(at("identical"))
    const { log } = await readLog(original, {}, context)
    const names = ["groups", "clusters", "matrices", "names-original", "clicks", "hours"]
    for (const [subject, needs] of [
      [{}, "against"],
      [{ log }, "audit"],
    ] as const) {
      const open = (await verify({ release, ...subject }, context)).filter(isOpen)
      expect(open.map((one) => [one.name, one.state, one.needs])).toEqual(
        names.map((name) => [name, "not checked", needs]),
      )
    }
  })

  test("that shows the log's own user ids fails the check of names", async () => {
    const [folder, audit] = [fresh("kept"), fresh("kept-audit")]
    await publish(original, folder, { method: "groups", k: 3, users: "keep" }, { audit })
    expect(failed(await check(folder, audit))).toEqual(["names", "names-original"])
  })

  test("fails with the audit of another", async () => {
    expect(failed(await check(at("identical"), at("exact-audit")))).toEqual([
      "groups",
      "clusters",
      "matrices",
      "names-original",
      "clicks",
      "hours",
    ])
  })
})

describe("rows that were changed", () => {
  test("one row of one member, to a text of the same cluster and url", async () => {
    const swap = ({ lines }: Tampering) => setCell(lines, query, "map", (cells) => cells[query] === "maps")
    const back = ({ lines }: Tampering) => setCell(lines, query, "maps", (cells) => cells[query] === "map")
    const failing = await failures("identical", swap).catch(() => failures("identical", back))
    expect(failing).toEqual(["identical"])
  })

  test.each(modes)("one row of one member that is gone (%s)", async (mode) => {
    const failing = await failures(mode, ({ lines }) => lines.splice(1, 1))
    expect(failing).toContain("matrices")
    expect(failing.includes("identical")).toBe(mode === "identical")
  })

  test("all rows of one member that are gone: a group of k - 1", async () => {
    const failing = await failures("identical", ({ lines }) => {
      const groups = new Map<string, string[]>()
      for (const line of lines.slice(1))
        groups.set(cellsOf(line)[user], [...(groups.get(cellsOf(line)[user]) ?? []), line])
      const [name] = groups.keys()
      lines.splice(0, lines.length, ...lines.filter((line) => cellsOf(line)[user] !== name))
    })
    expect(failing).toContain("matrices")
  })

  test.each(modes)("one that another person clicked, in another cluster (%s)", async (mode) => {
    const failing = await failures(mode, ({ lines }) => {
      lines[1] = withCell(withCell(lines[1], query, "games"), url, "http://games")
    })
    expect(failing).toEqual(expect.arrayContaining(["matrices", "clicks"]))
  })

  test("one at an hour when nobody clicked", async () => {
    const late = timeAfter(40 * 3600)
    const failing = await failures("identical", ({ lines }) => setCell(lines, time, late, () => true))
    expect(failing).toEqual(expect.arrayContaining(["identical", "hours"]))
    expect(await failures("exact", ({ lines }) => setCell(lines, time, late, () => true))).toContain("hours")
  })

  test("names that carry the click hours of the person behind them", async () => {
    const failing = await failures("identical", ({ lines }) => {
      const names = [...new Set(lines.slice(1).map((line) => cellsOf(line)[user]))]
      for (const [i, line] of lines.entries())
        if (i > 0) lines[i] = withCell(line, time, timeAfter((names.indexOf(cellsOf(line)[user]) % 4) * 3600))
    })
    expect(failing).toContain("identical")
  })

  test("one with a rank", async () => {
    expect(await failures("identical", ({ lines }) => setCell(lines, rank, "1", () => true))).toEqual(["no-ranks"])
  })

  test("a name that is a user id of the log", async () => {
    const failing = await failures("identical", ({ lines }) => {
      const name = cellsOf(lines[1])[user]
      for (const [i, line] of lines.entries())
        if (cellsOf(line)[user] === name) lines[i] = withCell(line, user, "person-1")
    })
    expect(failing).toEqual(["names", "names-original"])
  })

  test("rows of the exact mode that keep no proportion", async () => {
    const failing = await failures("exact", ({ lines }) => {
      lines.push(lines[1])
    })
    expect(failing).toContain("matrices")
  })
})

describe("an audit that was changed", () => {
  test("a member missing, moved to another group, or listed twice", async () => {
    expect(
      await auditFailures("identical", "groups", (lines) => lines.splice(lines.indexOf(lineWith(lines, 2, "0")), 1)),
    ).toContain("groups")
    const moved = await auditFailures("identical", "groups", (lines) => {
      for (const line of lines.filter(([, , centroid]) => centroid === "0").slice(0, 2)) line[1] = "0"
      const group = lineWith(lines, 2, "1")[1]
      for (const line of lines.slice(1)) if (line[1] !== group && line[2] === "0") line[1] = group
    })
    expect(moved).toContain("groups")
    expect(await auditFailures("identical", "groups", (lines) => lines.push(lines[1]))).toContain("groups")
  })

  test("another centroid", async () => {
    const failing = await auditFailures("exact", "groups", (lines) => {
      for (const line of lines.slice(1)) line[2] = "0"
    })
    expect(failing).toContain("groups")
  })

  test("two clusters merged into one whose diameter is too large", async () => {
    const failing = await auditFailures("identical", "clusters", (lines) => {
      const [from, to] = [lineWith(lines, 0, "news")[1], lineWith(lines, 0, "weather")[1]]
      for (const line of lines) if (line[1] === from) line[1] = to
    })
    expect(failing).toEqual(["clusters"])
  })

  test("a query with a click that is in no cluster, and one that is in two", async () => {
    expect(await auditFailures("identical", "clusters", (lines) => lines.splice(1, 1))).toContain("clusters")
    expect(await auditFailures("identical", "clusters", (lines) => lines.push(lines[1]))).toContain("clusters")
  })
})

describe("a release with a largest distance", () => {
  // Everyone has the weather in common. `games` makes one person less similar to the others.
  const near = { method: "groups", k: 3, minQueryUsers: 1, urls: "keep", maxDistance: 0.3, scrub: "none" } as const

  test("passes with a promise about distances instead of one about everyone", async () => {
    const [folder, audit] = [fresh("near"), fresh("near-audit")]
    await publish(original, folder, near, { audit })
    const checks = await check(folder, audit)
    expect(checks.filter(isOpen)).toEqual([])
    expect(checks.map(({ name }) => name)).toContain("distances")
    const { guarantee } = (await readRelease(folder)).manifest
    expect(guarantee).toMatchObject({ maxDistance: 0.3 })
    expect(guarantee.notCovered.join()).toContain("like nobody")
  })

  test("fails if a member is too far, if somebody near is left out, and if the bound was changed", async () => {
    const [folder, audit] = [fresh("wide"), fresh("wide-audit")]
    await publish(original, folder, { ...near, maxDistance: 0.9 }, { audit })
    const tighter = tamper(folder, fresh(), ({ manifest }) => {
      Object.assign(manifest.parameters, { maxDistance: 0.01 })
      Object.assign(manifest.guarantee, { maxDistance: 0.01 })
    })
    expect(failed(await check(tighter, audit))).toContain("distances")
    const stated = tamper(folder, fresh(), ({ manifest }) => Object.assign(manifest.guarantee, { maxDistance: 0.8 }))
    expect(failed(await check(stated, audit))).toContain("manifest")
    const copy = fresh("audit")
    cpSync(audit, copy, { recursive: true })
    const path = join(copy, "groups.tsv")
    const lines = readFileSync(path, "utf8").trimEnd().split("\n")
    const out = lines.findIndex((line) => line.endsWith("\t0"))
    writeFileSync(
      path,
      lines
        .filter((_, i) => i !== out)
        .map((line) => `${line}\n`)
        .join(""),
    )
    expect(failed(await check(folder, copy))).toEqual(expect.arrayContaining(["distances"]))
  })
})

describe("a manifest that was changed", () => {
  test.each<[string, (release: Tampering) => void]>([
    ["a larger k", ({ manifest }) => Object.assign(manifest.guarantee, { k: 4 })],
    ["a smaller δ", ({ manifest }) => Object.assign(manifest.guarantee, { delta: 0.1 })],
    ["another mode", ({ manifest }) => Object.assign(manifest.guarantee, { mode: "exact" })],
    ["less that is not covered", ({ manifest }) => Object.assign(manifest.guarantee, { notCovered: [] })],
  ])("promises %s", async (_, change) => {
    expect(await failures("identical", change)).toContain("manifest")
  })

  test.each([
    ["minCluster", "many"],
    ["minCluster", undefined],
    ["minQueryUsers", 0],
    ["maxDistance", 2],
    ["maxDistance", "far"],
  ])("has a bound that is no bound: %s %s", async (name, value) => {
    const failing = await failures("identical", ({ manifest }) => Object.assign(manifest.parameters, { [name]: value }))
    expect(failing).toContain("manifest")
  })

  test.each(["paper", "totals"] as const)("understates what remains (%s)", async (mode) => {
    const failing = await failures(mode, ({ manifest }) => {
      const { guarantee } = manifest
      if (guarantee.model === "groups" && guarantee.remains !== undefined) guarantee.remains.change += 1
    })
    expect(failing).toEqual(["matrices"])
  })
})
