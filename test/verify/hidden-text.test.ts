import { createHash } from "node:crypto"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { describe, expect, test } from "vitest"
import { marker } from "../support/aol-log.ts"
import { refusal } from "../support/publish.ts"
import { cellsOf, setCell } from "../support/tamper.ts"
import { townReleases } from "./town-release.ts"

const { at, fresh, change, check, failing, failures } = townReleases()

/**
 * Expects that verify catches text that may not be there: a check fails or the release is refused, never repeating the
 * text.
 */
async function expectCaught(folder: string): Promise<void> {
  const error = await refusal(check(folder))
  if (error !== undefined) {
    expect(error).toMatchObject({ code: "release-broken", message: expect.not.stringContaining(marker) })
    return
  }
  expect(await failing(folder)).toContain("closed")
  expect(JSON.stringify(await check(folder))).not.toContain(marker)
}

describe("text that was hidden in a release is found:", () => {
  test("a parameter that the method does not have", async () => {
    expect(
      await failures(({ manifest }) => {
        manifest.parameters[marker] = marker
      }),
    ).toEqual(["closed"])
  })

  test("text in the place of a parameter's value", async () => {
    for (const key of ["scrub", "users", "k"]) {
      const folder = change(({ manifest }) => {
        manifest.parameters[key] = marker
      })
      expect(await failing(folder)).toContain("closed")
    }
  })

  test("text in the creation time", async () => {
    for (const text of [marker, "2026-13-45T99:99:99.999Z"]) {
      await expectCaught(
        change(({ manifest }) => {
          manifest.created = text
        }),
      )
    }
  })

  test("an extra key in an entry of files", async () => {
    await expectCaught(
      change(({ manifest }) => {
        Object.assign(manifest.files[0] ?? {}, { note: marker })
      }),
    )
  })

  test("a duplicate key in the manifest", async () => {
    const folder = change(() => {})
    const path = join(folder, "release.json")
    writeFileSync(path, readFileSync(path, "utf8").replace('"seeded":', `"seeded":"${marker}","seeded":`))
    await expectCaught(folder)
  })

  test("a duplicate key in a line of JSON", async () => {
    await expectCaught(
      change(({ lines }) => {
        lines[0] = lines[0].replace('"Query":', `"Query":"${marker}","Query":`)
      }, "jsonl"),
    )
  })

  test("metadata of a Parquet file", async () => {
    const folder = fresh()
    cpSync(at("parquet"), folder, { recursive: true })
    const path = join(folder, "log.parquet")
    const connection = await (await DuckDBInstance.create(":memory:")).connect()
    await connection.run(
      `COPY (FROM '${at("parquet")}/log.parquet') TO '${path}' (FORMAT parquet, KV_METADATA {note: '${marker}'})`,
    )
    connection.closeSync()
    const manifest = JSON.parse(readFileSync(join(folder, "release.json"), "utf8"))
    manifest.files[0].sha256 = createHash("sha256").update(readFileSync(path)).digest("hex")
    writeFileSync(join(folder, "release.json"), JSON.stringify(manifest))
    expect(await failing(folder)).toEqual(["closed"])
  })
})

describe("bytes that no reader of a table shows are found:", () => {
  const unseen = "\u0001\u0002 \u0003"
  const clicked = (cells: string[]) => cells[3] !== ""

  test.each<[string, (lines: string[]) => void]>([
    ["after a time", (lines) => setCell(lines, 2, `${timeIn(lines)}${unseen}`, () => true)],
    ["after a rank", (lines) => setCell(lines, 3, `1${unseen}`, clicked)],
    ["in the place of a rank", (lines) => setCell(lines, 3, unseen, (cells) => !clicked(cells))],
    ["zeros before a rank", (lines) => setCell(lines, 3, "0001", clicked)],
    ["in a line of their own", (lines) => lines.push(unseen)],
    ["an empty line", (lines) => lines.push("")],
  ])("%s", async (_where, hide) => {
    expect(await failures(({ lines }) => hide(lines))).toEqual(["readable"])
  })

  const timeIn = (lines: string[]) => cellsOf(lines[1] ?? "")[2]
})

describe("a release that was not changed", () => {
  test.each(["sessions", "csv", "jsonl", "parquet"] as const)("has nothing hidden, as %s", async (kind) => {
    expect((await check(at(kind))).find(({ name }) => name === "closed")?.state).toBe("passed")
  })
})
