import { copyFileSync, cpSync, readFileSync } from "node:fs"
import fc from "fast-check"
import { parseHTML } from "linkedom"
import { beforeAll, describe, expect, test } from "vitest"
import { reportRelease } from "#dist/app/report-release.js"
import { createContext } from "#dist/kernels/context.js"
import { type Finding, nameFindings, type Score } from "#dist/probes/score.js"
import { outOf } from "#dist/study/report/attack-meanings.js"
import { attackVerdict } from "#dist/study/report/attack-verdict.js"
import { aolText, timeAfter } from "../support/aol-log.ts"
import { publish } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, write } = scratchFolder()

/**
 * Twenty pairs of people who share queries of their own, day after day. k = 2 is kept, and a pair is found again at
 * once.
 */
const pairs = Array.from({ length: 40 }, (_, person) =>
  Array.from({ length: 12 }, (_, turn) => ({
    user: `${person}`,
    query: `habit${person >> 1} number${person >> 1} ${turn % 3}`,
    time: timeAfter(turn * 86_400 + person * 60),
  })),
).flat()
const log = write(aolText(pairs), "pairs.tsv")

beforeAll(async () => {
  await publish(log, at("pairs"), { k: 2, users: "pseudonym" }, { audit: at("pairs.audit") })
  await publish(log, at("empty"), { k: 40 }, { audit: at("empty.audit") })
})

const context = createContext({ workers: 1 })
const report = (name: string, page: string, options: object = {}) =>
  reportRelease(at(name), { against: log, audit: at(`${name}.audit`), output: at(page), ...options }, context)

const read = (page: string) => parseHTML(readFileSync(at(page), "utf8")).document
const wordsOf = (page: string) =>
  [...read(page).querySelectorAll(".verdict .word")].map(({ textContent }) => textContent)

/** A finding of an attack as its only outcome. */
function outcome(finding: Partial<Finding> & { probe?: string }) {
  const { probe = "profile", ...rest } = finding
  const complete: Finding = { score: "record", value: 0, better: "lower", ...rest }
  return { probe, scores: nameFindings({ name: probe }, [complete]) }
}

describe("a release that keeps its promise although an attack succeeds", () => {
  test("does not look safe: nothing on its first page is green", async () => {
    const { verdicts, state } = await report("pairs", "broken.html")
    expect([state, verdicts.promise.kept, verdicts.attacks.state]).toEqual(["passed", "yes", "over the accepted risk"])
    const document = read("broken.html")
    expect(wordsOf("broken.html")).toEqual(["Yes", "Over the accepted risk"])
    expect(document.querySelectorAll(".first .good, .first .passed")).toHaveLength(0)
    expect(document.querySelector(".verdicts .bad")?.textContent).toContain(
      "of 100 cases; a guess would never succeed.",
    )
    expect(document.body.textContent).not.toMatch(/nothing above chance/i)
  })

  test("is amber, never green, if the accepted risk is high enough", async () => {
    await report("pairs", "accepted.html", { maxRisk: 1 })
    expect(wordsOf("accepted.html")).toEqual(["Yes", "Above chance"])
    expect(read("accepted.html").querySelectorAll(".first .good, .first .passed")).toHaveLength(0)
  })

  test("lists its worst attack first, and collapses results at chance", async () => {
    const { attacks } = await report("pairs", "order.html")
    const document = read("order.html")
    const gains = [...document.querySelectorAll(".attack h3 small")].map(({ textContent }) =>
      Number(/gain ([\d.]+)/.exec(textContent ?? "")?.[1]),
    )
    expect(gains.length).toBeGreaterThan(0)
    expect(gains).toEqual([...gains].sort((a, b) => b - a))
    expect(document.querySelector("details.chance")?.hasAttribute("open")).toBe(false)
    expect(attacks.length).toBeGreaterThan(gains.length)
  })
})

describe("an empty release", () => {
  test("is called empty and is not green", async () => {
    const { verdicts } = await report("empty", "empty.html")
    expect(verdicts.promise.empty).toBe(true)
    expect(wordsOf("empty.html")).toEqual(["Empty release", "Not attacked"])
    expect(read("empty.html").querySelectorAll(".first .good, .first .passed")).toHaveLength(0)
  })
})

describe("a report against another log than the release was made from", () => {
  const changed = aolText(pairs).replace("habit0 number0 0", "habit0 number0 1")
  test.each([
    ["of another size", aolText(pairs.slice(0, -24)), "other"],
    ["of the same size", `${changed}`, "alike"],
  ] as const)("says so at the top and in both verdicts, and does not exit with 0: %s", async (name, text, original) => {
    const other = write(text, `${original}.tsv`)
    const page = at(`${original}.html`)
    const { code, stdout } = await runCli(["report", at("pairs"), "--against", other, "-o", page])
    expect(code, name).not.toBe(0)
    const said = "Judged against another log than the release was made from"
    expect(read(`${original}.html`).querySelector(".banner")?.textContent).toContain(said)
    for (const card of read(`${original}.html`).querySelectorAll(".verdict")) expect(card.textContent).toContain(said)
    for (const verdict of ["Promise kept", "Attacks"]) expect(stdout).toMatch(new RegExp(`^${verdict}: .*${said}`, "m"))
    expect(stdout).not.toMatch(/Promise kept: yes|nothing above chance/)
  })

  test("says that the logs were not compared if there is no receipt", async () => {
    cpSync(at("pairs"), at("alone"), { recursive: true })
    const { original } = await reportRelease(at("alone"), { against: log, output: at("alone.html") }, context)
    expect(original).toBe("not compared")
    expect(read("alone.html").querySelector(".banner")?.textContent).toContain("there is no receipt of this release")
    copyFileSync(at("empty.receipt.json"), at("alone.receipt.json"))
    const again = await reportRelease(at("alone"), { against: log, output: at("alone2.html") }, context)
    expect(again.original).toBe("not compared")
  })
})

describe("the accepted risk", () => {
  test("is that of anonymize --max-risk by default", async () => {
    const args = ["anonymize", "equality", log, "-k", "2", "--max-risk", "0.9", "--users", "pseudonym"]
    expect((await runCli([...args, "-o", at("taken")])).code).toBe(0)
    const risk = async (options: object, page: string) =>
      (await reportRelease(at("taken"), { against: log, output: at(page), ...options }, context)).verdicts.attacks
    expect(await risk({}, "taken.html")).toMatchObject({ acceptedRisk: 0.9 })
    expect(await risk({ maxRisk: 0.05 }, "strict.html")).toMatchObject({ acceptedRisk: 0.05 })
    expect(attackVerdict([]).acceptedRisk).toBe(0.1)
  })
})

describe("the verdict on attacks", () => {
  test("counts a secret that can be read as a success: a guess reads none", () => {
    const planted = outcome({
      ...{ probe: "secrets", score: "secrets", value: 0.145, interval: [0.1, 0.2], n: 200 },
      ...{ baseline: 1, chance: 0 },
    })
    const verdict = attackVerdict([planted])
    expect(verdict).toMatchObject({ state: "over the accepted risk", worst: { gain: 0.145, chance: 0 } })
    expect(verdict.meanings).toEqual(["Anyone can read 29 of the 200 secrets that were planted in the log."])
  })

  test("is “not attacked” without an attack, and names the attacks that did not run", () => {
    expect(attackVerdict([]).state).toBe("not attacked")
    const skipped = { probe: "linkage", skipped: "needs --audit" }
    const verdict = attackVerdict([skipped, outcome({ value: 0.01, interval: [0, 0.02], n: 100, baseline: 0.01 })])
    expect(verdict.state).toBe("nothing above chance")
    expect(verdict.caveats).toContain("1 of 9 attacks could not run: linkage.")
    expect(verdict.caveats).toContainEqual(expect.stringMatching(/^7 of 9 attacks were not run: secrets, /))
  })

  test("counts attacks of extensions; a score above chance that is not a share is a gain of 1", () => {
    const strange = outcome({ probe: "mine", score: "found", value: 12, baseline: 3 })
    expect(attackVerdict([strange])).toMatchObject({ state: "over the accepted risk", worst: { gain: 1 } })
    const silent = outcome({ probe: "mine", score: "left", value: 12, baseline: 30, better: "higher" })
    expect(attackVerdict([silent]).state).toBe("not attacked")
  })

  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const score = fc
    .record({ ends: fc.tuple(share, share), at: share, baseline: fc.double({ min: 0, max: 0.9, noNaN: true }) })
    .map(({ ends, at: place, baseline }) => {
      const [low, high] = [Math.min(...ends), Math.max(...ends)]
      return { value: low + place * (high - low), interval: [low, high] as [number, number], n: 10, baseline }
    })

  test("is green only if every interval reaches chance, and red only if a gain is over the accepted risk", () => {
    fc.assert(
      fc.property(fc.array(score, { minLength: 1, maxLength: 5 }), share, (found, acceptedRisk) => {
        const scores: Score[] = found.flatMap((one, i) => outcome({ ...one, score: `s${i}` }).scores)
        const { state, worst } = attackVerdict([{ probe: "profile", scores }], { acceptedRisk })
        const above = found.filter(({ interval, baseline }) => interval[0] > baseline + 1e-12)
        const gains = above.map(({ value, baseline }) => (value - baseline) / (1 - baseline))
        const most = Math.max(...gains)
        expect(state === "nothing above chance").toBe(above.length === 0)
        expect(state === "over the accepted risk").toBe(above.length > 0 && most > acceptedRisk)
        if (above.length > 0) expect(worst?.gain).toBeCloseTo(most, 9)
      }),
    )
  })

  test("gives shares as “78 of 100”", () => {
    const said = [0, 0.78, 0.006, 0.0284, 0.9999, 1].map(outOf)
    expect(said).toEqual(["0 of 100", "78 of 100", "1 of 100", "3 of 100", "9,999 of 10,000", "100 of 100"])
  })
})

describe("attack and measure", () => {
  test("print the main sentences, worst first, and every score with --all", async () => {
    const judged = [at("pairs"), "--against", log, "--audit", at("pairs.audit")]
    const attacked = (await runCli(["attack", ...judged])).stdout
    expect(attacked).toMatch(/^Attacks: over the accepted risk\./)
    expect(attacked).toMatch(/^--all prints all \d+ scores\.$/m)
    expect(attacked).not.toContain("profile/record-mrr")
    expect((await runCli(["attack", ...judged, "--all"])).stdout).toContain("profile/record-mrr")
    const measured = (await runCli(["measure", ...judged])).stdout.split("\n")
    expect(measured.filter((line) => line !== "")).toHaveLength(4)
    expect((await runCli(["measure", ...judged, "--all"])).stdout).toMatch(/^score +value/)
  })
})
