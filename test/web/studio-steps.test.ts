import { describe, expect, test } from "vitest"
import type { Job, StudioState } from "../../web/studio/answers.ts"
import { mergeJobs, newestOf, sayPace, sayState, updateJobs } from "../../web/studio/job-words.ts"
import { madeFromLog } from "../../web/studio/log/columns.ts"
import { nextStep, projectName, screenOf, stepsOf } from "../../web/studio/steps.ts"
import { emptyState, readState } from "./studio-state.ts"

const statuses = (state: StudioState) => stepsOf(state).map(({ status }) => status)
const fresh = { stale: false, at: "2026-01-01T00:00:00Z" }
const stale = { ...fresh, stale: true }
const purpose = { use: "queries", maxRisk: 0.05, recipient: "readers" } as const
const choice = { method: "equality", parameters: { k: 5 }, name: "equality, k = 5" }

describe("the steps of a project", () => {
  test("begin with the log; only the register is open as well", () => {
    expect(statuses(emptyState())).toEqual(["open", "closed", "closed", "closed", "closed", "closed", "closed", "open"])
    expect(nextStep(emptyState())).toBe("log")
    expect(stepsOf(emptyState())[3]?.needs).toBe("log")
  })

  test("open one after the other", () => {
    const read = readState()
    expect(statuses(read)).toEqual(["done", "open", "open", "closed", "closed", "closed", "closed", "open"])
    expect(nextStep(read)).toBe("exposure")
    expect(stepsOf(read)[3]?.needs).toBe("purpose")
    const meant = { ...read, exposure: fresh, purpose }
    expect(statuses(meant)).toEqual(["done", "done", "done", "open", "closed", "closed", "closed", "open"])
    const chosen = { ...meant, explore: { sample: fresh, whole: null, points: 9 }, choice }
    expect(statuses(chosen)).toEqual(["done", "done", "done", "done", "open", "open", "closed", "open"])
    const drawn = { ...chosen, draft: { ...fresh, ...choice }, releases: 1 }
    expect(statuses(drawn)).toEqual(["done", "done", "done", "done", "done", "done", "open", "open"])
  })

  test("are stale after the user column was changed, and do not close", () => {
    const changed = {
      ...readState({ stale: true }),
      exposure: stale,
      purpose,
      explore: { sample: stale, whole: null, points: 9 },
      choice,
      draft: { ...stale, ...choice },
      releases: 1,
    }
    expect(statuses(changed)).toEqual(["stale", "stale", "done", "stale", "stale", "done", "open", "open"])
    expect(nextStep(changed)).toBe("log")
    expect(madeFromLog(changed)).toEqual(["what the log exposes", "the compared releases", "the draft"])
  })

  test.each(["changed", "missing"] as const)("show a log as stale if a file is %s", (state) => {
    const read = readState()
    const files = read.log?.files.map((file) => ({ ...file, state })) ?? []
    expect(statuses({ ...read, log: read.log && { ...read.log, files } })[0]).toBe("stale")
  })

  test("have addresses with their names and nothing else", () => {
    expect(screenOf("#explore")).toBe("explore")
    for (const hash of ["", "#", "#other", "#explore?q=x"]) expect(screenOf(hash)).toBeUndefined()
  })

  test("belong to a project named by its folder", () => {
    expect(["/srv/projects/spring/", "spring", "C:\\work\\spring"].map(projectName)).toEqual(Array(3).fill("spring"))
  })
})

describe("jobs", () => {
  const job = (id: string, state: Job["state"], more: Partial<Job> = {}): Job => ({
    id,
    kind: "read",
    label: "Reading the log",
    state,
    created: "2026-01-01T00:00:00Z",
    ...more,
  })

  test("that ended stay ended, if an older answer arrives late", () => {
    expect(mergeJobs([job("a", "done")], [job("a", "running"), job("b", "waiting")])).toEqual([
      job("a", "done"),
      job("b", "waiting"),
    ])
    expect(mergeJobs([job("a", "running")], [job("a", "done")])).toEqual([job("a", "done")])
    expect(mergeJobs([job("a", "done")], [])).toEqual([])
  })

  test("are replaced by an event, or added", () => {
    expect(updateJobs([job("a", "waiting")], job("a", "running"))).toEqual([job("a", "running")])
    expect(updateJobs([job("a", "done")], job("b", "running"))).toHaveLength(2)
  })

  test("of a kind are represented by the newest", () => {
    const jobs = [job("b", "done", { created: "2026-01-02T00:00:00Z" }), job("a", "failed")]
    expect(newestOf(jobs, "read")?.id).toBe("b")
    expect(newestOf(jobs, "inspect")).toBeUndefined()
  })

  test("say how fast they are, how long they still take, and how they ended", () => {
    const progress = { says: "reading", share: 0.4, secondsLeft: 124.2, rowsPerSecond: 812_345.6 }
    expect(sayPace(job("a", "running", { progress }))).toBe("812,346 rows per second, 2 min 5 s left")
    expect(sayPace(job("a", "running"))).toBe("")
    expect(sayState(job("a", "cancelled"))).toBe("This was cancelled. Nothing of it was kept.")
    const error = { code: "columns", message: "There is no column visitor." }
    expect(sayState(job("a", "failed", { error }))).toBe("There is no column visitor.")
  })
})
