import { expect, test } from "vitest"
import { overlapNote } from "#dist/study/frontier/overlap-note.js"

const score = (probe: string, value: number, half: number) => ({
  name: probe,
  probe,
  score: probe === "profile" ? "record" : probe,
  better: probe === "profile" ? ("lower" as const) : ("higher" as const),
  value,
  interval: [value - half, value + half] as [number, number],
  n: 100,
})
const point = (settings: object, use: number) => ({
  point: { method: "equality", k: 5, ...settings },
  scores: [score("profile", 0.2, 0.01), score("suggestions", use, 0.003)],
})
const raw = point({ raw: true }, 0.04)

test("a frontier adds a note if most releases cannot be distinguished from the log, and no note otherwise", () => {
  const flat = [raw, point({ k: 2 }, 0.039), point({ k: 5 }, 0.042), point({ k: 50 }, 0.01)]
  expect(overlapNote(flat, "suggestions")).toEqual([expect.stringContaining("2 of 3 releases cannot be distinguished")])
  const steep = [raw, point({ k: 2 }, 0.039), point({ k: 5 }, 0.02), point({ k: 50 }, 0.01)]
  expect(overlapNote(steep, "suggestions")).toEqual([])
  expect(overlapNote(steep, "queries")).toEqual([]) // nothing was measured
})
