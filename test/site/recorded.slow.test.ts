import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { record } from "../../site/demos/record.mjs"
import type { Recording } from "../../site/demos/steps/recording.ts"

const names = ["affinity", "wordnet", "groups", "profiles", "personal", "stream", "frontier"] as const
const folder = mkdtempSync(join(tmpdir(), "queryveil-recorded-"))
let made: Record<string, unknown> = {}

beforeAll(async () => {
  made = await record(folder, names)
})
afterAll(() => rmSync(folder, { recursive: true }))

const kept = (name: string) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../site/demos/recorded/${name}.json`, import.meta.url)), "utf8"))

/** The recording without the columns that chance fills. */
function withoutChance(recording: Recording): Recording {
  const steps = recording.steps.map(({ table, ...step }) => {
    if (table === undefined) return step
    const isChance = table.columns.map((column) => table.chance?.includes(column) === true)
    return { ...step, table: { ...table, rows: table.rows.map((row) => row.filter((_, i) => !isChance[i])) } }
  })
  return { ...recording, steps }
}

describe("the commands of the recorded demos", () => {
  test.each(names.filter((name) => name !== "frontier"))("%s: show again what the page shows", (name) => {
    expect(withoutChance(made[name] as Recording)).toEqual(withoutChance(kept(name)))
  })

  test("frontier: give the same points again", () => {
    expect(made.frontier).toEqual(kept("frontier"))
  })
})
