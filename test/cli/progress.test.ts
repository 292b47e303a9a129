import { readdirSync, readFileSync } from "node:fs"
import { PassThrough } from "node:stream"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { progressText } from "#dist/app/progress-text.js"
import { stagePhrases } from "#dist/app/stage-phrases.js"
import { ProgressLine } from "#dist/cli/progress.js"
import { createContext, enterStep, type Progress } from "#dist/kernels/context.js"

const source = new URL("../../src/", import.meta.url)

/** Every stage that some file of src reports. */
function stagesInSource(): string[] {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))
  const found = files.flatMap((name) => [
    ...readFileSync(new URL(name, source), "utf8").matchAll(/\bstage(?:: | = )(["`])(.*?)\1/g),
  ])
  return [...new Set(found.map(([, , stage = ""]) => stage))].sort()
}

const wide = { seconds: 5, width: 200 }

describe("progress in words", () => {
  test("has a phrase for every stage that is reported, and no other", () => {
    expect(stagesInSource()).toEqual(Object.keys(stagePhrases).sort())
  })

  test("names the step, its number and what is done in it", () => {
    const reports: Progress[] = []
    const context = createContext({ report: (progress) => reports.push(progress) })
    const point = enterStep(context, { kind: "point", number: 1, total: 9, name: "equality, k = 5" })
    point.report({ stage: "attacking", done: 0, total: 4 })
    expect(reports.map((progress) => progressText(progress, { ...wide, seconds: 0 }))).toEqual([
      "point 1 of 9: equality, k = 5",
      "point 1 of 9: equality, k = 5, attacking",
    ])
  })

  test.each<[string, Progress, string]>([
    ["a share and the time left", { stage: "joining", done: 50, total: 100 }, "comparing queries  50 %  5 s left"],
    ["a few parts", { stage: "verifying", done: 1, total: 3 }, "checking the promise  1 of 3"],
    ["a count where the total is not known", { stage: "reading", done: 3.2e9 }, "reading the log  3.2 billion bytes"],
    ["the time so far before the first percent", { stage: "joining", done: 1, total: 1000 }, "comparing queries  5 s"],
    [
      "the time so far where nothing is counted",
      { stage: "peeling", done: 0, total: 2 },
      "counting users around queries  5 s",
    ],
    ["the reporter's own estimate", { stage: "attacking", done: 0, left: 250 }, "attacking  4 min 10 s left"],
  ])("shows %s", (_name, progress, text) => {
    expect(progressText(progress, wide)).toBe(text)
  })

  test("leaves out inner steps, innermost first, where the line is short", () => {
    const step = (kind: string, name: string) => ({ kind, number: 2, total: 9, name })
    const steps = [step("point", "equality, k = 5"), step("step", "attacking"), step("attack", "profile")]
    const progress = { stage: "linking", done: 45, total: 100, steps }
    const texts = [120, 75, 65, 55, 20].map((width) => progressText(progress, { seconds: 0, width }))
    expect(texts).toEqual([
      "point 2 of 9: equality, k = 5, step 2 of 9: attacking, attack 2 of 9: profile, matching users  45 %",
      "point 2 of 9: equality, k = 5, attacking, profile, matching users  45 %",
      "point 2 of 9: equality, k = 5, attacking, matching users  45 %",
      "point 2 of 9: equality, k = 5, matching users  45 %",
      "point 2 of 9: equal…",
    ])
  })

  test("is never wider than the terminal and never says 0 %", () => {
    const number = fc.nat({ max: 1e6 })
    const progress = fc.record(
      {
        stage: fc.constantFrom(...Object.keys(stagePhrases)),
        done: number,
        total: number,
        left: number,
        steps: fc.array(fc.record({ kind: fc.constant("step"), number, total: number, name: fc.string() }), {
          maxLength: 4,
        }),
      },
      { requiredKeys: ["stage", "done"] },
    )
    fc.assert(
      fc.property(progress, fc.integer({ min: 10, max: 200 }), fc.nat({ max: 1e5 }), (reported, width, seconds) => {
        const text = progressText(reported, { seconds, width })
        expect(text.length).toBeLessThanOrEqual(width)
        expect(progressText({ ...reported, steps: [] }, { seconds, width })).not.toMatch(/(^|\s)0 %/)
      }),
    )
  })
})

describe("the line of progress", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  function terminal(isTTY: boolean) {
    const stream = Object.assign(new PassThrough(), { isTTY, columns: 40 }) as unknown as NodeJS.WriteStream
    const text = () => String(stream.read() ?? "")
    return { stream, text }
  }

  test.each([
    ["a terminal", true, false, /comparing queries {2}2 s$/],
    ["a pipe", false, false, /^$/],
    ["--quiet", true, true, /^$/],
  ])("on %s", (_name, isTTY, quiet, expected) => {
    const { stream, text } = terminal(isTTY)
    const line = new ProgressLine(stream, { quiet })
    line.report({ stage: "joining", done: 0, total: 100 })
    vi.advanceTimersByTime(2000) // nothing more is reported, and time goes on
    expect(text()).toMatch(expected)
    line.close()
    vi.advanceTimersByTime(5000)
    expect(text()).not.toContain("comparing")
  })

  test("disappears when a message is printed, until the next report", () => {
    const { stream, text } = terminal(true)
    const line = new ProgressLine(stream, { quiet: false })
    line.report({ stage: "joining", done: 0 })
    vi.advanceTimersByTime(2000)
    line.clear()
    text()
    vi.advanceTimersByTime(5000)
    expect(text()).toBe("")
    line.report({ stage: "writing", done: 0 })
    expect(text()).toContain("writing the data")
    line.close()
  })
})
