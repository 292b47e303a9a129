import { describe, expect, test } from "vitest"
import { seededRandom } from "#dist/kernels/random.js"
import { readRelease } from "#dist/release/read-release.js"
import { animalTaxonomy, topicsOf } from "../support/animal-log.ts"
import { aolText, marker, type Search, timeAfter } from "../support/aol-log.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const random = seededRandom(17)

/** 120 people who each search for most of sixteen things about dogs, in any order. */
const fewTexts = Array.from({ length: 3000 }, (_, i): Search => {
  const user = `${marker}-user-${random.below(120)}`
  return { user, query: `dog ${"abcdefghijklmnop"[random.below(16)]}`, time: timeAfter(i * 60) }
})

/** Half of the searches are for one of twenty things of their day. One person makes a third of all searches. */
const news = Array.from({ length: 6000 }, (_, i): Search => {
  const user = random.below(3) === 0 ? `${marker}-heavy` : `${marker}-user-${random.below(800)}`
  const query = random.below(2) === 0 ? `dog day${Math.floor(i / 500)} ${random.below(20)}` : `dog ${marker}${i}`
  return { user, query, time: timeAfter(i * 170) }
})

const taxonomy = write(animalTaxonomy, "animals.tsv")

/** Releases a log and attacks the release, all from the command line. */
async function releaseAndAttack(searches: readonly Search[], flags: readonly string[]) {
  const [log, classifier] = [write(aolText(searches)), write(topicsOf(searches))]
  const [release, audit] = [fresh("release"), fresh("audit")]
  const topics = ["--taxonomy", taxonomy, "--classifier", classifier]
  const made = await runCli([
    "anonymize",
    "swap",
    log,
    "-o",
    release,
    "--audit",
    audit,
    "--scrub",
    "none",
    ...topics,
    ...flags,
  ])
  expect(made.code).toBe(0)
  const found = await runCli([
    "attack",
    release,
    "--against",
    log,
    "--audit",
    audit,
    "--only",
    "linkage",
    "--json",
    ...topics,
  ])
  const verified = await runCli(["verify", release, "--against", log, "--audit", audit])
  expect(found.code).toBe(0)
  expect(made.stdout + made.stderr + found.stdout + found.stderr).not.toContain(marker)
  const [{ scores }] = JSON.parse(found.stdout).outcomes
  const named = (attacker: string) =>
    scores.find(({ name }: { name: string }) => name === `linkage/${attacker}/named`) as { value: number; n: number }
  const { guarantee } = (await readRelease(release)).manifest
  return { told: made.stderr, guarantee, named, verified }
}

describe("anonymize swap, attack and verify", () => {
  test("find that cells of few texts reveal their users, promise nothing and say what helps", async () => {
    const { told, guarantee, named, verified } = await releaseAndAttack(fewTexts, [
      "-k",
      "3",
      "--time",
      "exact",
      "--repeats",
      "once",
      "--users",
      "pseudonym",
    ])
    expect(named("compared-cells").n).toBeGreaterThan(500)
    expect(named("compared-cells").value).toBeGreaterThan(0.5)
    expect(guarantee).toMatchObject({ promised: false, measured: { attacker: "compared-cells", over: true } })
    expect(told).toContain("With --repeats never a query leaves with one cell")
    expect(verified.stdout).not.toMatch(/^failed/m)
  })

  test.each(["cell", "session", "day"])(
    "find nothing to compare by default, and promise 1/k, with a name per %s",
    async (users) => {
      const { told, guarantee, named, verified } = await releaseAndAttack(
        fewTexts.map((search, i) => ({ ...search, query: i % 4 === 0 ? search.query : `dog ${marker}${i}` })),
        ["-k", "3", "--time", "exact", "--users", users],
      )
      expect(named("compared-cells").n).toBe(0)
      expect(guarantee).toMatchObject({ promised: true, names: users, measured: { tried: 12, over: false } })
      expect(told).not.toContain("Nothing is promised")
      expect(verified).toMatchObject({ code: 0, stdout: expect.not.stringMatching(/^failed/m) })
    },
  )

  test("find the owners of texts that leave late with a large backlog, and not with the default one", async () => {
    const lasting = ["-k", "10", "--time", "exact", "--users", "pseudonym"]
    const long = await releaseAndAttack(news, [...lasting, "--backlog", "1000", "--repeats", "once"])
    expect(long.named("outdated-texts").n).toBeGreaterThan(50)
    expect(long.named("outdated-texts").value).toBeGreaterThan(0.8)
    expect(long.guarantee).toMatchObject({ promised: false, measured: { over: true } })
    const usual = await releaseAndAttack(news, lasting)
    expect(usual.named("outdated-texts").n).toBeLessThan(20)
    expect(usual.guarantee).toMatchObject({ promised: false, measured: { over: false } })
    const cells = await releaseAndAttack(news, ["-k", "10", "--time", "exact"])
    expect(cells.named("outdated-texts").n).toBe(0)
    expect(cells.guarantee).toMatchObject({ promised: true })
  })
})
