import { describe, expect, test } from "vitest"
import type { Job } from "../../web/studio/answers.ts"
import { checkSteps } from "../../web/studio/check/check-steps.ts"
import { sayEnd } from "../../web/studio/check/say-end.ts"
import type { RegisteredRelease, ReportSummary } from "../../web/studio/release/release-types.ts"
import {
  densityOf,
  listWords,
  missingToRefuse,
  missingToSign,
  nextToDecide,
  whyUnfit,
} from "../../web/studio/sign/sign-rules.ts"

const summary: ReportSummary = {
  release: "1",
  manifest: "",
  method: "equality",
  seeded: false,
  made: "",
  judged: "",
  original: "same",
  statement: "",
  protects: "",
  notCovered: [],
  promise: { kept: "yes", sentence: "", open: [], empty: false },
  attacks: { state: "nothing above chance", sentence: "", caveats: [], meanings: [], acceptedRisk: 0.1 },
  left: [],
  readings: [],
}

describe("signing a release", () => {
  const accept = ["a history", "several accounts"]
  const given = { ticked: new Set([0, 1]), name: "Ada", reason: "needed" }

  test("needs every point, a name and a reason", () => {
    expect(missingToSign({ accept }, given)).toEqual([])
    expect(missingToSign({ accept: [] }, { ...given, ticked: new Set() })).toEqual([])
    expect(missingToSign({ accept }, { ...given, ticked: new Set([1]) })).toEqual(["1 point to accept"])
    expect(listWords(missingToSign({ accept }, { ticked: new Set(), name: " ", reason: "\n" }))).toBe(
      "2 points to accept, your name and your reason",
    )
  })

  test("is refused with a name and a reason alone", () => {
    expect(missingToRefuse({ name: "Ada", reason: "too risky" })).toEqual([])
    expect(missingToRefuse({ name: "", reason: "too risky" })).toEqual(["your name"])
  })

  test("is not possible for what was not judged, or failed, and the page says why", () => {
    expect(whyUnfit({ summary })).toBeUndefined()
    expect(whyUnfit({})).toMatch(/no report/)
    expect(whyUnfit({ summary: { ...summary, seeded: true } })).toMatch(/seed/)
    for (const original of ["alike", "other", "not compared"] as const)
      expect(whyUnfit({ summary: { ...summary, original } })).toMatch(/not judged against the log/)
    expect(whyUnfit({ summary: { ...summary, promise: { ...summary.promise, kept: "no" } } })).toMatch(/failed/)
  })

  test("begins with the newest release that nobody decided on", () => {
    const release = (name: string, state: RegisteredRelease["state"], isJudged = true) =>
      ({ name, state, ...(isJudged && { summary }) }) as RegisteredRelease
    const nameOf = (...releases: RegisteredRelease[]) => nextToDecide(releases)?.name
    expect(nameOf()).toBeUndefined()
    expect(nameOf(release("a", "open"), release("b", "open"), release("c", "signed"))).toBe("b")
    expect(nameOf(release("a", "signed"), release("b", "refused"), release("c", "open", false))).toBe("b")
    expect(nameOf(release("a", "open", false))).toBe("a")
  })

  test("prints a long page smaller", () => {
    expect(densityOf({ accept: [] }, "")).toBe("")
    expect(densityOf({ summary, accept }, "short")).toBe("")
    expect(densityOf({ summary, accept }, "x".repeat(4500))).toBe("dense")
    expect(densityOf({ summary, accept: Array(60).fill("x".repeat(60)) }, "")).toBe("denser")
  })
})

describe("the steps of the check", () => {
  const states = (...given: Parameters<typeof checkSteps>) => checkSteps(...given).map(({ state }) => state)
  const job = (state: Job["state"]): Job => ({ id: "1", kind: "report", label: "", created: "", state })
  const running = (says: string): Job => ({ ...job("running"), progress: { says } })

  test("follow the draw, then the three steps of the report", () => {
    const draw = job("done")
    const at = (says: string) => states({ draw, report: running(says), isDrawn: true })
    expect(states({ draw: running("drawing"), report: undefined, isDrawn: false })[0]).toBe("running")
    expect(at("reading the log")).toEqual(["done", "running", "waiting", "waiting"])
    expect(at("step 1 of 3: verifying")).toEqual(["done", "running", "waiting", "waiting"])
    expect(at("step 2 of 3: attacking, attack 3 of 9: profile")).toEqual(["done", "done", "running", "waiting"])
    expect(at("step 3 of 3: measuring")).toEqual(["done", "done", "done", "running"])
  })

  test("show where the work stopped", () => {
    expect(states({ draw: job("failed"), report: undefined, isDrawn: false })[0]).toBe("stopped")
    const stopped = states({ draw: job("done"), report: job("cancelled"), isDrawn: true })
    expect(stopped).toEqual(["done", "stopped", "waiting", "waiting"])
    expect(states({ draw: undefined, report: undefined, isDrawn: true })).toEqual([
      "done",
      "waiting",
      "waiting",
      "waiting",
    ])
  })
})

describe("the end of a draw or a check", () => {
  const job = (kind: Job["kind"], state: Job["state"], more: Partial<Job> = {}): Job => ({
    id: "1",
    kind,
    label: "",
    created: "2026-01-01",
    state,
    ...more,
  })

  test("is silent while it runs and when it succeeds", () => {
    expect(sayEnd(undefined, undefined)).toBeUndefined()
    expect(sayEnd(job("release", "running"), undefined)).toBeUndefined()
    expect(sayEnd(job("release", "done"), job("report", "done"))).toBeUndefined()
  })

  test("is that of the newer job", () => {
    const late = { created: "2026-01-02" }
    expect(sayEnd(job("release", "failed"), job("report", "done", late))).toBeUndefined()
    expect(sayEnd(job("release", "interrupted", late), job("report", "done"))).toMatch(/^The draw was interrupted/)
    expect(sayEnd(job("release", "done"), job("report", "cancelled", late))).toMatch(/Check it again/)
  })

  test("names screens instead of flags", () => {
    const message = "The attack profile gained 0.31, more than 0.05. Nothing was written. Leave --max-risk out."
    const said = sayEnd(job("release", "failed", { error: { code: "risk-high", message } }), undefined)
    expect(said).toBe(
      "There is no release: an attack on it found more than you accept. " +
        "The attack profile gained 0.31, more than 0.05. " +
        "Choose a safer method on the screen Explore, or accept more risk on the screen Purpose.",
    )
    const other = { code: "disk-full", message: "The disk is full." }
    expect(sayEnd(job("release", "failed", { error: other }), undefined)).toBe("The draw failed. The disk is full.")
  })
})
