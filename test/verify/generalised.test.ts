import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { openAudit } from "#dist/release/read-audit.js"
import { readRelease } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import type { Check } from "#dist/verify/verifier.js"
import { aolText, marker, timeAfter } from "../support/aol-log.ts"
import { isOpen } from "../support/open-checks.ts"
import { publish, refusal } from "../support/publish.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { cellsOf, setCell, type Tampering, tamper, withCell } from "../support/tamper.ts"
import { zooLog } from "../support/zoo-log.ts"

const { at, fresh, write } = scratchFolder()
const original = write(aolText(zooLog()))
const context = createContext({ workers: 1 })
const query = 1
const generalise = (
  folder: string,
  options: Record<string, string | number> = {},
  to: "tsv" | "jsonl" | "parquet" = "tsv",
) => publish(original, folder, { method: "wordnet", ...options }, { to, audit: `${folder}-audit` })

beforeAll(async () => {
  await generalise(at("zoo"))
})

interface Against {
  audit?: string
  log?: string
  unit?: SearchLog["unit"]
}

async function check(folder: string, { audit = at("zoo-audit"), log = original, unit = "user" }: Against = {}) {
  const subject = { release: await readRelease(folder), log: (await readLog(log, { unit }, context)).log }
  return verify({ ...subject, audit: await openAudit(audit) }, context)
}

const failed = (checks: readonly Check[]) => checks.filter(({ state }) => state === "failed").map(({ name }) => name)

/** Names of the checks that fail on a changed copy of the release whose digests were recomputed. */
const failures = async (how: (release: Tampering) => void, against: Against = {}) =>
  failed(await check(tamper(at("zoo"), fresh(), how), against))

/** A changed copy of the audit: the lines of `queries.tsv`. The header is line 0. */
function changeAudit(how: (lines: string[]) => void): string {
  const copy = fresh("audit")
  cpSync(at("zoo-audit"), copy, { recursive: true })
  const path = join(copy, "queries.tsv")
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1)
  how(lines)
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""))
  return copy
}

const lineOf = (lines: readonly string[], text: string) => lines.findIndex((line) => line.startsWith(`${text}\t`))

describe("a generalised release that was not changed", () => {
  const times = ["hour", "day", "exact", "drop"]
  const policies = ["session", "pseudonym", "drop"].flatMap((users, i) =>
    ["threshold", "keep", "drop"].map((urls, j) => ({ users, urls, time: times[(i + j) % times.length] ?? "hour" })),
  )

  test("verifies under the column policies", async () => {
    for (const policy of policies) {
      const folder = fresh()
      await generalise(folder, policy)
      const checks = await check(folder, { audit: `${folder}-audit` })
      expect([policy, checks.filter(isOpen)]).toEqual([policy, []])
    }
  })

  test.each(["jsonl", "parquet"] as const)("verifies as %s", async (to) => {
    const folder = fresh()
    await generalise(folder, {}, to)
    expect((await check(folder, { audit: `${folder}-audit` })).filter(isOpen)).toEqual([])
  })

  test("verifies when it is empty, and when k is 1", async () => {
    for (const k of [1, 9]) {
      const folder = fresh()
      const { manifest } = await generalise(folder, { k })
      expect(manifest.files[0]?.rows).toBe(k === 1 ? zooLog().length : 0)
      expect((await check(folder, { audit: `${folder}-audit` })).filter(isOpen)).toEqual([])
    }
  })

  test("fails with its lines in another order than its trail", async () => {
    expect(await failures(({ lines }) => lines.push(...lines.splice(1, 5)))).toEqual(["order"])
  })

  test("is not checked in full without the log or the audit, and says what it needs", async () => {
    const release = await readRelease(at("zoo"))
    const { log } = await readLog(original, {}, context)
    const names = ["users-original", "concepts-original", "rows", "clicks", "urls", "groups"]
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
})

describe("rows that were changed", () => {
  test("one under a narrower concept", async () => {
    const failing = await failures(({ lines }) =>
      setCell(lines, query, "poodle.n.01", (cells) => cells[query] === "dog.n.01"),
    )
    expect(failing).toEqual(expect.arrayContaining(["users-release", "users-original", "rows"]))
  })

  test("all rows of a concept under a narrower one that has too few users", async () => {
    const narrow = ({ lines }: Tampering) => {
      for (const [i, line] of lines.entries())
        if (cellsOf(line)[query] === "dog.n.01") lines[i] = withCell(line, query, "poodle.n.01")
    }
    expect(await failures(narrow)).toContain("users-original")
    const audit = changeAudit((lines) => {
      for (const [i, line] of lines.entries()) lines[i] = line.replace("dog.n.01", "poodle.n.01")
    })
    expect(await failures(narrow, { audit })).toEqual(["concepts-original"])
  })

  test("one under another released concept", async () => {
    const failing = await failures(({ lines }) =>
      setCell(lines, query, "entity.n.01", (cells) => cells[query] === "dog.n.01"),
    )
    expect(failing).toContain("rows")
  })

  test("one that is missing, and one that occurs twice", async () => {
    expect(await failures(({ lines }) => lines.splice(1, 1))).toContain("rows")
    expect(await failures(({ lines }) => lines.push(lines[1]))).toContain("rows")
  })

  test.each([
    `${marker}a`,
    "toy poodle",
    "dogs",

    "dog.n.1",
    "dog.n.99",
    "domestic_dog.n.01",
    "dog.v.01",
    "dog",
  ])("one with a text that is not a label: %s", async (text) => {
    expect(
      await failures(({ lines }) => setCell(lines, query, text, (cells) => cells[query] === "dog.n.01")),
    ).toContain("concepts")
  })

  test("raw text is reported by its row, not repeated", async () => {
    const folder = tamper(at("zoo"), fresh(), ({ lines }) => {
      lines[4] = withCell(lines[4], query, `lion ${marker}`)
    })
    const checks = await check(folder)
    expect(checks.find(({ name }) => name === "concepts")).toMatchObject({ state: "failed", row: 4 })
    expect(JSON.stringify(checks)).not.toContain(marker)
  })

  test("a row at a time that is not in the log", async () => {
    expect(await failures(({ lines }) => setCell(lines, 2, timeAfter(36_000), () => true))).toContain("rows")
  })
})

describe("an audit that was changed", () => {
  test("that of another release of the same log", async () => {
    await generalise(at("other"))
    const checks = await check(at("zoo"), { audit: at("other-audit") })
    expect(failed(checks)).toEqual(["users-original", "concepts-original", "rows", "clicks", "urls", "groups"])
    expect(checks.find(({ name }) => name === "rows")?.detail).toBe("the audit belongs to another release")
  })

  test.each<[string, (lines: string[]) => void, string[]]>([
    [
      "a line under a concept of none of its words",
      (lines) => {
        lines[lineOf(lines, "my cats")] = "my cats\tweather.n.01"
      },
      ["concepts-original", "rows"],
    ],
    [
      "a line under a concept that is not released",
      (lines) => {
        lines[lineOf(lines, "my cats")] = "my cats\tfeline.n.01"
      },
      ["concepts-original", "rows"],
    ],
    [
      "a line without a concept",
      (lines) => {
        lines[lineOf(lines, "my cats")] = "my cats\t"
      },
      ["concepts-original", "rows"],
    ],
    ["a line gone", (lines) => lines.splice(lineOf(lines, "the weather"), 1), ["rows"]],
    ["a line twice", (lines) => lines.push(lines[1]), ["concepts-original"]],
    ["a query twice, under another concept", (lines) => lines.push("my cats\tentity.n.01"), ["concepts-original"]],
    ["a query that the log has not", (lines) => lines.push("unasked dog\tdog.n.01"), ["concepts-original"]],
  ])("%s", async (_name, how, names) => {
    expect(failed(await check(at("zoo"), { audit: changeAudit(how) }))).toEqual(expect.arrayContaining(names))
  })

  test("rows left out of the release and blank in the audit", async () => {
    const audit = changeAudit((lines) => {
      lines[lineOf(lines, "poodle")] = "poodle\t"
    })
    const leaveOut = ({ lines }: Tampering) => lines.splice(1, lines.length - 1, ...lines.slice(1, -1))
    expect(await failures(leaveOut, { audit })).toContain("concepts-original")
  })

  test.each<[string, (lines: string[]) => void]>([
    ["a cell more", (lines) => lines.push(`${marker}\tdog.n.01\t1`)],
    ["a cell less", (lines) => lines.push(marker)],
    [
      "another header",
      (lines) => {
        lines[0] = "query\tlabel"
      },
    ],
    ["nothing at all", (lines) => lines.splice(0)],
  ])("is refused, without its text: %s", async (_name, how) => {
    const error = await refusal(check(at("zoo"), { audit: changeAudit(how) }))
    expect(error).toMatchObject({ code: "audit-broken", message: expect.not.stringContaining(marker) })
  })

  test("is refused if it is not an audit", async () => {
    for (const folder of [at("zoo"), at("nowhere")])
      expect(await refusal(openAudit(folder))).toMatchObject({
        code: "audit-broken",
        message: expect.stringContaining("--audit"),
      })
  })
})

describe("a manifest that was changed", () => {
  test.each<[string, (manifest: Tampering["manifest"]) => void]>([
    [
      "a smaller k in its parameters",
      (manifest) => {
        manifest.parameters.k = 2
      },
    ],
    [
      "a larger k in its guarantee",
      (manifest) => {
        manifest.guarantee.k = 4
      },
    ],
    [
      "other words",
      (manifest) => {
        manifest.guarantee.statement = manifest.guarantee.statement.replace("3", "1000")
      },
    ],
    [
      "less that is not covered",
      (manifest) => {
        manifest.guarantee.notCovered.pop()
      },
    ],
    [
      "another method",
      (manifest) => {
        manifest.method = "equality"
      },
    ],
  ])("%s", async (_name, how) => {
    expect(await failures(({ manifest }) => how(manifest))).toContain("manifest")
  })

  test("k raised everywhere, beyond what the release has", async () => {
    const failing = await failures(({ manifest }) => {
      manifest.parameters.k = 4
      manifest.guarantee.k = 4
      manifest.guarantee.statement = manifest.guarantee.statement.replace("3", "4")
    })
    expect(failing).toEqual(expect.arrayContaining(["users-release", "users-original"]))
  })
})

describe("against another log", () => {
  test("fails", async () => {
    const log = write(aolText(zooLog().filter(({ user }) => !user.endsWith("0"))))
    expect(failed(await check(at("zoo"), { log }))).toEqual(expect.arrayContaining(["rows", "groups"]))
  })

  test("counted by another unit, verify says how to read it", async () => {
    const checks = await check(at("zoo"), { unit: "session" })
    expect(failed(checks)).toContain("users-original")
    expect(checks.find(({ name }) => name === "users-original")?.detail).toContain("without --unit session")
  })
})
