import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { parseHTML } from "linkedom"
import { beforeAll, describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { linkageAttackers } from "#dist/kernels/linkage/attackers.js"
import { readLog } from "#dist/log/read-log.js"
import type { ProbeOutcome } from "#dist/probes/run-probes.js"
import { type Finding, nameFindings, type Score } from "#dist/probes/score.js"
import { anonymize } from "#dist/release/anonymize.js"
import { openAudit } from "#dist/release/read-audit.js"
import { openDraft, readRelease } from "#dist/release/read-release.js"
import { attackVerdict } from "#dist/study/report/attack-verdict.js"
import { composeReport, type ReportContent } from "#dist/study/report/compose-report.js"
import { promiseVerdict } from "#dist/study/report/promise-verdict.js"
import { reportPage } from "#dist/study/report/report-page.js"
import { aolText, marker, smallTown } from "../support/aol-log.ts"
import { outsideLinks } from "../support/markup.ts"
import { publish } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { tamper, withCell } from "../support/tamper.ts"

const { at, write } = scratchFolder()
const log = write(aolText(smallTown()))
const truth = { secrets: [{ line: 5, kind: "rare" }] }

beforeAll(async () => {
  await publish(log, at("release"))
  tamper(at("release"), at("tampered"), ({ lines }) => {
    lines.push(withCell(lines[1], 1, `${marker} of 1`))
  })
})

const contents = new Map<string, Promise<ReportContent>>()

/** What a report says of a release, with or without the original. Made once. */
function contentOf(name: string, { against }: { against: boolean }): Promise<ReportContent> {
  const key = `${name} ${against}`
  const made = contents.get(key) ?? compose(name, against)
  contents.set(key, made)
  return made
}

async function compose(name: string, against: boolean): Promise<ReportContent> {
  const context = createContext({ workers: 1, now: () => 0 })
  const release = await readRelease(at(name))
  const original = against ? { ...(await readLog(log, {}, context)), truth } : {}
  return composeReport(
    { release, ...original },
    { folder: name, seed: 1, commands: [`queryveil verify ${name}`] },
    context,
  )
}

const pageOf = async (name: string, options: { against: boolean }) => reportPage(await contentOf(name, options))

const textOf = (page: string) => parseHTML(page).document.body.textContent ?? ""
const states = (page: string) => [...parseHTML(page).document.querySelectorAll("td")].map(({ className }) => className)

describe("a report", () => {
  test("says what is promised, what is not protected, and what each check found", async () => {
    const page = await pageOf("release", { against: true })
    const { manifest } = await readRelease(at("release"))
    const { document } = parseHTML(page)
    const text = textOf(page)
    expect(text).toContain(manifest.guarantee.statement)
    expect([...document.querySelectorAll("ul.uncovered li")].map(({ textContent }) => textContent)).toEqual(
      manifest.guarantee.notCovered,
    )
    expect(manifest.guarantee.notCovered.length).toBeGreaterThan(0)
    expect(states(page).filter((state) => state === "passed")).toHaveLength(15)
    expect(text).toContain("Every check passed.")
    for (const part of [manifest.id, manifest.files[0].sha256, "events-kept", "secrets/rare", "Signature"]) {
      expect(text).toContain(part)
    }
  })

  test("shows a failure, and says not to publish", async () => {
    const page = await pageOf("tampered", { against: true })
    expect(states(page)).toContain("failed")
    expect(textOf(page)).toContain("do not publish this release")
    expect(textOf(page)).not.toContain("Every check passed.")
  })

  test("is also written for a release that no longer fits its audit", async () => {
    await publish(log, at("traced"), {}, { audit: at("traced.audit") })
    tamper(at("traced"), at("untraceable"), ({ lines }) => {
      lines.push(withCell(lines[1], 1, "not of the log"))
    })
    const [release, audit] = [await readRelease(at("untraceable")), await openAudit(at("traced.audit"))]
    const context = createContext({ workers: 1 })
    const original = await readLog(log, {}, context)
    const chosen = { attacks: { only: ["known-query", "profile"] }, measures: { only: ["queries-kept"] } }
    const content = await composeReport({ release, audit, ...original }, { folder: "x", seed: 1, ...chosen }, context)
    expect(content.attacks).toMatchObject([
      { scores: expect.anything() },
      { skipped: expect.stringContaining("broken") },
    ])
    expect(textOf(reportPage(content))).toContain("do not publish this release")
  })

  test("is also written for a release that shows searches that are not in the log", async () => {
    tamper(at("release"), at("foreign"), ({ lines }) => {
      lines.push(withCell(lines[1], 1, "not of the log"))
    })
    const page = await pageOf("foreign", { against: true })
    expect(textOf(page)).toContain("do not publish this release")
    expect(textOf(page)).toContain("shows searches that are not in this log")
  })

  test("says without the original log what could not be checked", async () => {
    const page = await pageOf("release", { against: false })
    expect(states(page).filter((state) => state === "not-checked")).toHaveLength(5)
    expect(states(page)).not.toContain("failed")
    expect(textOf(page)).toContain("some checks could not be made")
    expect(textOf(page)).toContain("this needs the original log")
  })

  test("links to nothing outside, and names no query and no user", async () => {
    for (const name of ["release", "tampered"]) {
      const page = await pageOf(name, { against: true })
      expect(outsideLinks(page)).toEqual([])
      expect(page).not.toContain(marker)
    }
  })

  test("escapes text from the manifest", async () => {
    const nasty = `<img src="http://elsewhere.example" onerror='alert(1)'>&`
    const folder = tamper(at("release"), at("nasty"), ({ manifest }) => {
      manifest.method = nasty
      manifest.guarantee.statement = nasty
      manifest.guarantee.notCovered = [nasty]
      manifest.parameters = { ...manifest.parameters, [nasty]: nasty, users: nasty }
    })
    const page = await pageOf(folder.slice(at("").length), { against: true })
    expect(parseHTML(page).document.querySelectorAll("img, script, [onerror]")).toHaveLength(0)
    expect(outsideLinks(page)).toEqual([])
    expect(textOf(page)).toContain(nasty)
  })
})

/** A page with nothing but these scores of attacks and measures. */
async function pageWith(outcomes: { attacks?: Score[]; measures?: Score[] }) {
  const content = await contentOf("release", { against: true })
  const outcome = (scores: Score[] = []): ProbeOutcome[] => [{ probe: "some", scores }]
  const attacks = outcomesOf(outcomes.attacks ?? [])
  return reportPage({ ...content, attacks, attacked: attackVerdict(attacks), measures: outcome(outcomes.measures) })
}

/** One outcome for each attack. */
const outcomesOf = (scores: readonly Score[]): ProbeOutcome[] =>
  [...new Set(scores.map(({ probe }) => probe))].map((probe) => ({
    probe,
    scores: scores.filter((score) => score.probe === probe),
  }))

/** Scores of probes, with their labels. */
const scoresOf = (...found: (Finding & { probe: string })[]): Score[] =>
  found.flatMap(({ probe, ...finding }) => nameFindings({ name: probe }, [finding]))

/** The two verdicts of a page: colour, word, and all of their text. */
const verdictsOf = (page: string) =>
  [...parseHTML(page).document.querySelectorAll(".verdicts .verdict")].map((card) => ({
    colour: card.className.replace("verdict ", ""),
    word: card.querySelector(".word")?.textContent,
    text: card.textContent ?? "",
  }))

const findings = (page: string) =>
  [...parseHTML(page).document.querySelectorAll("ul.findings li")].map(({ textContent }) =>
    (textContent ?? "").replaceAll("\u00a0", " "),
  )

describe("the sentences of a report", () => {
  test("give value, interval and chance level, and what they mean", async () => {
    const known = {
      probe: "profile",
      score: "record",
      value: 0.006,
      n: 2000,
      baseline: 0.0003,
      better: "lower",
    } as const
    const kept = {
      probe: "events-kept",
      score: "events-kept",
      value: 0.25,
      n: 400,
      baseline: 1,
      better: "higher",
    } as const
    const page = await pageWith({
      attacks: scoresOf({ ...known, interval: [0.0034, 0.0105] }),
      measures: scoresOf(kept),
    })
    expect(findings(page)).toEqual([
      [
        "An attacker who knows everyone's earlier searches named the right person for 12 of 2,000 searches",
        "(0.60 %; 95 % interval 0.34 % to 1.1 %); a blind guess would be right for 0.030 %. That is more than chance.",
      ].join(" "),
      "The release shows 25.0 % of the log's 400 searches, counted by the text of the query; 75.0 % are lost.",
    ])
  })

  test("claim nothing about an attack or measure that had nothing to try", async () => {
    const none = { value: 0, interval: [0, 1], n: 0, baseline: 0.01, better: "lower" } as const
    const asked = { probe: "suggestions", score: "suggestions", value: 0, n: 0, baseline: 0, better: "higher" } as const
    const tried = [
      ["profile", "record"],
      ["profile", "record-recall"],
      ["profile", "record-control"],
      ["secrets", "secrets"],
      ["known-query", "one"],
    ] as const
    const attacks = tried.flatMap(([probe, score]) => scoresOf({ ...none, interval: [0, 1], probe, score }))
    const page = await pageWith({ attacks, measures: scoresOf(asked) })
    expect(textOf(page)).not.toContain("NaN")
    expect(findings(page)).toEqual(["Suggestions could not be tried: no query is followed by another."])
    for (const attack of ["profile", "secrets", "known-query"])
      expect(textOf(page)).toContain(`${attack}: the release shows nothing to try it on`)
    expect(verdictsOf(page)[1]?.word).toBe("Not attacked")
  })

  test("count ties as fractions, and say for how many searches an attacker named somebody", async () => {
    const lower = { better: "lower" } as const
    const linked = (attacker: string, among?: string) => ({
      probe: "linkage",
      score: "linkage",
      at: { attacker, ...(among && { among }) },
    })
    const found = findings(
      await pageWith({
        attacks: scoresOf(
          { probe: "secrets", score: "secrets", value: 0, interval: [0, 0.79], n: 1, chance: 0, ...lower },
          { probe: "profile", score: "name", value: 0.0904, interval: [0.05, 0.17], n: 83, baseline: 0.003, ...lower },
          { probe: "profile", score: "name-recall", value: 0, n: 83, baseline: 0, ...lower },
          { ...linked("shy"), value: 0.05, interval: [0.03, 0.07], n: 1000, baseline: 0.2, ...lower },
          { ...linked("shy", "named"), value: 0.5, interval: [0.4, 0.6], n: 100, baseline: 0.2, ...lower },
          { ...linked("compared-cells"), value: 0, interval: [0, 0.01], n: 1000, baseline: 0.2, ...lower },
          { ...linked("compared-cells", "named"), value: 0, interval: [0, 1], n: 0, baseline: 0.2, ...lower },
        ),
      }),
    )
    const [shy, silent, name, sure, line] = found
    expect(shy).toContain("They named somebody for 100, and were right for 50 of 100 (50.0 %")
    expect(shy).toContain("That is more than chance.")
    expect(name).toContain("for 7.5 of 83 names (9.0 %")
    expect(sure).toBe("Even if the attacker answers only the surest cases, fewer than nine in ten answers are right.")
    expect(line).toContain("Of 1 line of the log")
    const summary = linkageAttackers.find(({ name: attacker }) => attacker === "compared-cells")?.summary
    expect(silent).toContain(
      `The attacker “compared-cells”, who ${summary}, named the right user for 0 of 1,000 searches`,
    )
    expect(silent).toContain("they named nobody")
  })

  test("report a difference from the log only if the interval shows one", async () => {
    const about = { probe: "suggestions", score: "suggestions", n: 2000, better: "higher" } as const
    const score = { ...about, value: 0.0035, baseline: 0.0021 }
    const say = async (interval: [number, number]) =>
      findings(await pageWith({ measures: scoresOf({ ...score, interval }) }))
    expect((await say([0.001, 0.006]))[0]).toMatch(
      /interval 0\.00100 to 0\.00600\).*That shows no difference from the log/,
    )
    expect((await say([0.003, 0.004]))[0]).toContain("That is 167 % of what the log itself gives.")
  })

  test("name the attack, with its summary if it has one, for a score without a sentence", async () => {
    const page = await pageWith({
      attacks: scoresOf({ probe: "new-attack", score: "x", value: 0.125, better: "lower" }),
    })
    expect(findings(page)).toEqual([
      "The attack new-attack/x succeeds in 13 of 100 cases; a guess would never succeed.",
    ])
    expect(textOf(page)).toContain("membership: not requested")
  })

  test("come with a table of every score, collapsed on the screen and expanded in print", async () => {
    const { document } = parseHTML(await pageOf("release", { against: true }))
    const [folded] = document.querySelectorAll("details.scores")
    const [open] = document.querySelectorAll("div.paper")
    expect(folded?.hasAttribute("open")).toBe(false)
    expect(open?.textContent).toContain("secrets/rare")
    expect(open?.innerHTML).toBe(folded?.innerHTML.replace(/<summary>.*<\/summary>/, ""))
  })

  test("say what ε and δ mean, and what is protected", async () => {
    const context = createContext({ workers: 1, seed: 1 })
    const { log: original } = await readLog(log, {}, context)
    const release = openDraft(await anonymize(original, { method: "counts", epsilon: "2", delta: "0.001" }, context))
    const text = textOf(reportPage(await composeReport({ release }, { folder: "draft" }, context)))
    expect(text).toContain("by a factor of at most 7.39")
    expect(text).toContain("besides that factor by at most 1 in 1,000")
    expect(text).toContain("The unit of protection is one user")
  })
})

describe("the verdict on a release that promises nothing", () => {
  test.each([{ method: "swap", k: 2, mode: "paper" } as const, { method: "equality", k: 1 } as const])(
    "is “nothing promised”, even if every check passed: $method",
    async (options) => {
      const { log: original } = await readLog(log, {}, createContext({ workers: 1 }))
      const release = openDraft(await anonymize(original, options, createContext({ workers: 1 })))
      const content = await composeReport({ release }, { folder: "draft" }, createContext({ workers: 1 }))
      const checks = [{ name: "x", promise: "x", state: "passed" } as const]
      const promise = promiseVerdict(content.manifest, checks)
      const page = reportPage({ ...content, checks, promise })
      expect(verdictsOf(page)[0]).toEqual({
        colour: "warn",
        word: "Nothing promised",
        text: expect.stringContaining("This release promises nothing. Every check passed."),
      })
      const { document } = parseHTML(page)
      expect(document.body.textContent).not.toContain("by chance.")
    },
  )
})

describe("the verdict on a release of a study", () => {
  test("says that it is seeded and not for publication, and how the other checks went", async () => {
    const context = createContext({ workers: 1, seed: 1 })
    const { log: original } = await readLog(log, {}, context)
    const release = openDraft(await anonymize(original, { method: "equality", k: 3 }, context))
    const content = await composeReport({ release }, { folder: "draft" }, context)
    const verdict = ({ manifest, checks }: Pick<ReportContent, "manifest" | "checks">) =>
      promiseVerdict(manifest, checks).sentence
    expect(verdict(content)).toBe(
      [
        "Made with a seed, for a study: do not publish this release.",
        "Nothing else failed, but some checks could not be made. To make them, give the original log.",
      ].join(" "),
    )
    expect(verdictsOf(reportPage(content))[0]).toMatchObject({ colour: "bad", word: "No" })
    const others = content.checks.filter(({ state, name }) => state === "passed" || name === "randomness")
    expect(verdict({ ...content, checks: others })).toContain("All other checks passed.")
    const broken = { name: "x", promise: "x", state: "failed" } as const
    expect(verdict({ ...content, checks: [...others, broken] })).toContain("Another check failed, too.")
  })
})

describe("the fingerprints of a report", () => {
  test("cover every file of the release and of the log; versions, seed and commands are next to them", async () => {
    const text = textOf(await pageOf("release", { against: true }))
    const digest = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex")
    for (const path of [at("release/log.tsv"), at("release/release.json"), log]) expect(text).toContain(digest(path))
    expect(text).toContain(`node ${process.versions.node}`)
    expect(text).toContain("seed 1")
    expect(text).toContain("queryveil verify release")
    expect(text).toContain("require this many users of a released query") // k, as the schema describes it
  })
})

describe("queryveil report", () => {
  test("exits with 0, 1 or 3 as verify does, and writes a private page next to the release", async () => {
    const [codes, words] = [[] as (number | null)[], [] as string[]]
    for (const args of [
      [at("release"), "--against", log],
      [at("tampered"), "--against", log],
      [`${at("release")}/`, "--force"],
    ]) {
      const { code, stdout, stderr } = await runCli(["report", ...args])
      expect(stdout + stderr).not.toContain(marker)
      codes.push(code)
      words.push(stdout.split("\n")[1] ?? "")
    }
    expect(codes).toEqual([0, 1, 3])
    expect(words).toEqual([
      "Promise kept: yes. Every check passed.",
      "Promise kept: no. A check failed: do not publish this release.",
      "Promise kept: in part. Nothing failed, but some checks could not be made. To make them, give the original log.",
    ])
    for (const name of ["release", "tampered"]) {
      expect(statSync(at(`${name}.report.html`)).mode & 0o777).toBe(0o600)
    }
    const tampered = textOf(readFileSync(at("tampered.report.html"), "utf8"))
    expect(tampered).toContain("do not publish")
    expect(tampered).toContain(`queryveil attack ${at("tampered")} --against ${log} --seed 1`)
    expect(textOf(readFileSync(at("release.report.html"), "utf8"))).toContain("could not be made") // last of the two
  })

  test("replaces an earlier page only with --force", async () => {
    const page = at("kept.html")
    writeFileSync(page, "signed")
    const refused = await runCli(["report", at("release"), "-o", page, "--json"])
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.stderr).error).toMatchObject({ code: "output-exists", file: page })
    expect(readFileSync(page, "utf8")).toBe("signed")
    expect((await runCli(["report", at("release"), "-o", page, "--force"])).code).toBe(3)
    expect(readFileSync(page, "utf8")).toContain("</html>")
  })

  test("refuses to write the page into the release, where it would be published", async () => {
    const { code } = await runCli(["report", at("release"), "--against", log, "-o", at("release/report.html")])
    expect(code).not.toBe(0)
    expect(readdirSync(at("release")).sort()).toEqual(["log.tsv", "release.json"])
  })
})
