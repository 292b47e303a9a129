import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { frontier, placePoints, sortPoints, useNames, uses } from "../../site/demos/frontier/points.ts"
import { demos } from "../../site/demos/list.ts"
import type { Recording } from "../../site/demos/steps/recording.ts"
import { stepFor } from "../../site/demos/steps/step-for.ts"

const folder = fileURLToPath(new URL("../../site/demos/recorded", import.meta.url))
const recorded = readdirSync(folder).map((file) => file.replace(".json", ""))

describe("what the demos show as recorded", () => {
  test("belongs to demos, and names the commands that made it", () => {
    for (const name of recorded) expect(demos).toContain(name)
    expect(recorded.length).toBe(7)
  })

  test.each(recorded.filter((name) => name !== "frontier"))(
    "%s: every step has words, and tables without gaps",
    (name) => {
      const recording: Recording = JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"))
      expect(recording.commands[0]).toMatch(/^queryveil (synth|samples) /)
      expect(recording.steps.length).toBeGreaterThan(3)
      expect(new Set(recording.steps.map(({ title }) => title)).size).toBe(recording.steps.length)
      for (const { says, table } of recording.steps) {
        expect(says.join(" ")).not.toMatch(/undefined|NaN|null/)
        expect(says.length).toBeGreaterThan(0)
        for (const row of table?.rows ?? []) expect(row).toHaveLength(table?.columns.length ?? 0)
        for (const place of table?.marked ?? []) expect(table?.rows[place]).toBeDefined()
        for (const column of table?.chance ?? []) expect(table?.columns).toContain(column)
      }
    },
  )

  test.each([
    ["ArrowRight", 0, 1],
    ["ArrowRight", 4, 4],
    ["ArrowLeft", 0, 0],
    ["End", 1, 4],
    ["Home", 3, 0],
    ["a", 3, undefined],
  ])("the key %s leads from step %i to %s", (key, at, to) => {
    expect(stepFor(key, { at, steps: 5 })).toBe(to)
  })
})

describe("the demo of the frontier", () => {
  test.each(useNames)("rings the releases that no other beats in both risk and %s", (use) => {
    const placed = placePoints(frontier.points, use)
    const sign = uses[use].better === "higher" ? 1 : -1
    for (const one of placed) {
      const isBeaten = placed.some(
        (other) =>
          other.point.risk.value <= one.point.risk.value &&
          sign * other.value >= sign * one.value &&
          (other.point.risk.value < one.point.risk.value || other.value !== one.value),
      )
      expect(one.isOnFront).toBe(!isBeaten)
    }
  })

  test("sorts releases by a column, those without a value last", () => {
    const by = (descending: boolean) =>
      sortPoints(frontier.points, { column: "use", descending, use: "suggestions" }).map(
        (point) => point.uses.suggestions,
      )
    const known = frontier.points.flatMap((point) => point.uses.suggestions ?? [])
    const missing = Array.from({ length: frontier.points.length - known.length }, () => undefined)
    expect(by(false)).toEqual([...known.toSorted((a, b) => a - b), ...missing])
    expect(by(true)).toEqual([...known.toSorted((a, b) => b - a), ...missing])
  })
})
