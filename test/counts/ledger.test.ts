import { spawn } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { describe, expect, test } from "vitest"
import { lockFile } from "#dist/files/lock.js"
import { createContext } from "#dist/kernels/context.js"
import { QueryveilError } from "#dist/kernels/error.js"
import { readLog } from "#dist/log/read-log.js"
import { earlierFingerprints, spendBudget } from "#dist/release/budget-ledger.js"
import { aolText, marker, smallTown } from "../support/aol-log.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { busyTown } from "./busy-town.ts"

const { at, fresh, write } = scratchFolder()
const log = write(aolText(smallTown()), "log.tsv")
/** The exit code of a release of this log: no count reaches a threshold. */
const empty = 4
const anonymize = (out: string, ...flags: string[]) => runCli(["anonymize", "counts", log, "-o", out, ...flags])

describe("--ledger", () => {
  const small = ["--epsilon", "0.1", "--delta", "1e-6", "--split", "1,0,0"]

  test("counts what releases cost and refuses the one that would overspend, before anything is written", async () => {
    const file = at("ledger.json")
    for (let i = 0; i < 3; i++) {
      const budget = i === 0 ? ["--budget", "0.3"] : [] // 0.1 + 0.1 + 0.1 is exactly 0.3
      expect(await anonymize(fresh("out"), ...small, "--ledger", file, ...budget)).toMatchObject({ code: empty })
    }
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, "utf8")).not.toContain(marker)
    const before = readFileSync(file, "utf8")
    const out = fresh("refused")
    const { code, stderr } = await anonymize(out, ...small, "--ledger", file)
    expect(code).toBe(1)
    expect(stderr).toContain("the budget is 3/10, and 3/10 is spent")
    expect(readFileSync(file, "utf8")).toBe(before)
    expect(() => statSync(out)).toThrow()
  })

  test("lets only one of two runs spend the rest", async () => {
    const file = at("race.json")
    const flags = [...small, "--ledger", file, "--ledger-name", "the log", "--budget", "0.15"]
    const runs = await Promise.all([1, 2].map(() => anonymize(fresh("out"), ...flags)))
    expect(runs.map(({ code }) => code).sort()).toEqual([1, empty])
    expect(JSON.parse(readFileSync(file, "utf8")).logs["the log"].spent).toHaveLength(1)
  })

  test("is one ledger under all its names, before and after it is made", async () => {
    const file = at("behind.json")
    const link = at("link.json")
    symlinkSync("behind.json", link)
    const spend = (name: string, release: string) =>
      spendBudget(
        { file: name, log: "x", budget: "2" },
        { release, epsilon: "1", delta: "0", unit: "user", created: "" },
      )
    await spend(link, "a")
    await spend(file, "b")
    await expect(spend(link, "c")).rejects.toMatchObject({ code: "budget-spent" })
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(JSON.parse(readFileSync(file, "utf8")).logs.x.spent).toHaveLength(2)
  })

  test.each([
    ["not json", "is not JSON"],
    ['{"queryveil":1,"logs":{"x":{"budget":"-1","spent":[]}}}', "is not a ledger"],
  ])("is not overwritten when it is broken: %s", async (text, why) => {
    const file = write(text, "broken.json")
    const { code, stderr } = await anonymize(fresh("out"), ...small, "--ledger", file, "--budget", "1")
    expect(code).toBe(1)
    expect(stderr).toContain(why)
    expect(readFileSync(file, "utf8")).toBe(text)
  })

  test("keeps the budget that was first set", async () => {
    const file = at("fixed.json")
    writeFileSync(file, JSON.stringify({ queryveil: 1, logs: { mine: { budget: "1", spent: [] } } }))
    const flags = ["--ledger", file, "--ledger-name", "mine", "--budget", "2"]
    const { code, stderr } = await anonymize(fresh("out"), ...small, ...flags)
    expect(code).toBe(1)
    expect(stderr).toContain("the budget of this log is 1, not 2")
  })

  test("may not be in the release that it pays for, where the next --force would forget what was spent", async () => {
    const out = fresh("out")
    await anonymize(out, ...small)
    const flags = [...small, "--force", "--ledger", `${out}/ledger.json`, "--budget", "1"]
    const { code, stderr } = await anonymize(out, ...flags)
    expect([code, stderr]).toEqual([2, expect.stringContaining("must not be in the release")])
    const elsewhere = await anonymize(fresh("other"), ...flags)
    expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining("is inside a release")])
  })

  test.each(["constructor", "__proto__"])("keeps a log that its owner calls %s", async (log) => {
    const file = at("odd.json")
    const cost = { release: "", epsilon: "1", delta: "0", unit: "user", created: "" } as const
    expect(await spendBudget({ file, log, budget: "1" }, cost)).toMatchObject({ spent: "1", budget: "1" })
    await expect(spendBudget({ file, log }, cost)).rejects.toThrow("the budget is 1, and 1 is spent")
  })

  test("that cannot be written stops the run before any noise is drawn", async () => {
    const file = at("unpaid.json")
    const out = fresh("out")
    const flags = ["--epsilon", "30", "--delta", "1e-6", "--ledger", file, "--ledger-name", "town", "--budget", "30"]
    const args = ["anonymize", "counts", town, "-o", out, ...flags]
    const { code, stderr } = await runCli(args, { shell: 'ulimit -f 1; exec "$@"' })
    expect([code, stderr]).toEqual([1, expect.stringContaining("disk is full")])
    expect(existsSync(file)).toBe(false)
    expect(await runCli(args)).toMatchObject({ code: 0 })
    const nowhere = await runCli([...args, "--force", "--ledger", at("no", "such", "folder.json")])
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining("cannot be written")])
  })
})

const town = write(aolText(busyTown()), "town.tsv")
const spentIn = (file: string, log: string) => JSON.parse(readFileSync(file, "utf8")).logs[log]
const costOf = (epsilon: string, delta: string) => ({ release: "", epsilon, delta, unit: "user", created: "" }) as const

describe("δ has a budget as ε has", () => {
  const flags = (delta: string, ...more: string[]) => ["--epsilon", "1", "--delta", delta, ...more]

  test("a total δ that promises little is refused by default, and the message says how to allow it", async () => {
    const file = at("delta.json")
    const ledger = ["--ledger", file, "--budget", "9"]
    const out = fresh("out")
    for (const delta of ["0.9", "0.01"]) {
      const { code, stderr } = await anonymize(out, ...flags(delta, ...ledger))
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/the δ budget is 1\/1000, and 0 is spent.*more than is left.*--delta-budget/),
      ])
      expect([existsSync(file), existsSync(out)]).toEqual([false, false])
    }
    expect(await anonymize(out, ...flags("0.01", ...ledger, "--delta-budget", "0.02"))).toMatchObject({ code: empty })
    const [log = ""] = Object.keys(JSON.parse(readFileSync(file, "utf8")).logs)
    expect(spentIn(file, log)).toMatchObject({ deltaBudget: "1/50", spent: [{ delta: "1/100", unit: "user" }] })
    const other = await anonymize(fresh("out"), ...flags("0.01", ...ledger, "--delta-budget", "0.03"))
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("the δ budget of this log is 1/50")])
  })

  test("it is added up exactly: ten times 0.0001 is 0.001", async () => {
    const place = { file: at("exact.json"), log: "mine", budget: "100" }
    for (let i = 0; i < 10; i++) await spendBudget(place, costOf("1", "0.0001"))
    await expect(spendBudget(place, costOf("1", "1e-200"))).rejects.toMatchObject({ code: "budget-spent" })
    const { deltaSpent } = await spendBudget(place, costOf("1", "0")) // a release without δ adds none
    expect(deltaSpent).toBe("1/1000")
  })

  test.each(["1", "2"])("a budget of %s is no budget", async (budget) => {
    const ledger = ["--ledger", at("none.json"), "--budget", "1", "--delta-budget", budget]
    const { code, stderr } = await anonymize(fresh("out"), ...flags("1e-6", ...ledger))
    expect([code, stderr]).toEqual([2, expect.stringContaining("--delta-budget")])
  })
})

describe("a log stays the same log", () => {
  const small = ["--epsilon", "1", "--delta", "1e-6", "--split", "1,0,0"]

  test("whether users or sessions are counted, whose costs have no sum", async () => {
    const file = at("units.json")
    expect(await anonymize(fresh("out"), ...small, "--ledger", file, "--budget", "5")).toMatchObject({ code: empty })
    const before = readFileSync(file, "utf8")
    const { code, stderr } = await anonymize(fresh("out"), ...small, "--ledger", file, "--unit", "session")
    expect([code, stderr]).toEqual([1, expect.stringMatching(/was released by user.*Leave --unit session out/)])
    expect(readFileSync(file, "utf8")).toBe(before)
    const place = { file: at("sessions.json"), log: "mine", budget: "5" }
    await spendBudget(place, { ...costOf("1", "0"), unit: "session" })
    await expect(spendBudget(place, costOf("1", "0"))).rejects.toThrow(/released by session/)
    expect(await spendBudget(place, { ...costOf("1", "0"), unit: "session" })).toMatchObject({ spent: "2" })
  })

  const stored = (name: string) => new URL(`../fixtures/0.1/${name}`, import.meta.url).pathname
  const again = (file: string, ...flags: string[]) =>
    runCli(["anonymize", "counts", stored("log.tsv.gz"), "-o", fresh("out"), "--ledger", file, ...flags])

  test("in a ledger of version 0.1, which is read and goes on", async () => {
    const file = at("0.1.json")
    copyFileSync(stored("ledger.json"), file)
    const over = await again(file, "--epsilon", "61", "--delta", "1e-6")
    expect([over.code, over.stderr]).toEqual([
      1,
      expect.stringContaining("the budget is 100, and 40 is spent. ε = 61 is more"),
    ])
    const session = await again(file, "--epsilon", "1", "--delta", "1e-6", "--unit", "session")
    expect([session.code, session.stderr]).toEqual([1, expect.stringContaining("was released by user")])
    const delta = await again(file, "--epsilon", "1", "--delta", "1e-6")
    expect([delta.code, delta.stderr]).toEqual([
      1,
      expect.stringContaining("the δ budget is 1/1000, and 1/100 is spent"),
    ])
    expect(readFileSync(file, "utf8")).toBe(readFileSync(stored("ledger.json"), "utf8"))
    const within = await again(file, "--epsilon", "60", "--delta", "0.01", "--delta-budget", "0.02")
    expect(within.code).toBe(empty)
    const { queryveil, logs } = JSON.parse(readFileSync(file, "utf8"))
    expect([queryveil, Object.values(logs)]).toMatchObject([
      2, // 0.1 refuses it, because it would not count δ
      [
        {
          budget: "100",
          spent: [
            { epsilon: "40", unit: "user" },
            { epsilon: "60", delta: "1/100", unit: "user" },
          ],
        },
      ],
    ])
    expect((await again(file, "--epsilon", "1", "--delta", "1e-9")).code).toBe(1)
  })

  test("also where 0.1 kept it by session, and by both", async () => {
    const { logs } = JSON.parse(readFileSync(stored("ledger.json"), "utf8"))
    const [[name = "", account] = []] = Object.entries<object>(logs)
    const { intake } = await readLog(stored("log.tsv.gz"), {}, createContext({ workers: 1 }))
    const [user, session] = earlierFingerprints(intake)
    expect(user).toEqual({ log: name, unit: "user" })
    for (const kept of [[session?.log ?? ""], [name, session?.log ?? ""]]) {
      const old = { queryveil: 1, logs: Object.fromEntries(kept.map((one) => [one, account])) }
      const file = write(JSON.stringify(old), "by-session.json")
      const { code, stderr } = await again(file, "--epsilon", "1", "--delta", "1e-6")
      expect([code, stderr]).toEqual([1, expect.stringContaining("was released by session")])
    }
  })

  test("under a name of 0.1, whose unit nobody knows", async () => {
    const old = { release: "", epsilon: "3", delta: "0", created: "" }
    const file = write(JSON.stringify({ queryveil: 1, logs: { mine: { budget: "5", spent: [old] } } }), "named.json")
    expect(await spendBudget({ file, log: "mine" }, costOf("2", "0"))).toMatchObject({ spent: "5" })
    await expect(spendBudget({ file, log: "mine" }, costOf("1", "0"))).rejects.toThrow(
      "the budget is 5, and 5 is spent",
    )
  })
})

describe("what was drawn is paid for", () => {
  /**
   * Noise alone shows so many public queries that their pairs do not fit. This is known only after the first table is
   * drawn.
   */
  const pure = ["--mode", "pure", "--epsilon", "0.001", "--threshold", "1", "--split", "1,0,1"]

  test("also when the run fails after that, so that nobody can repeat a draw until they like it", async () => {
    const [file, out] = [at("drawn.json"), fresh("out")]
    const flags = [...pure, "--ledger", file, "--ledger-name", "mine", "--budget", "0.0015"]
    const first = await anonymize(out, ...flags)
    expect([first.code, first.stderr]).toEqual([2, expect.stringContaining("public keys of transitions, too many")])
    expect(spentIn(file, "mine").spent).toMatchObject([{ epsilon: "1/1000", delta: "0", unit: "user" }])
    expect(existsSync(out)).toBe(false)
    const second = await anonymize(out, ...flags)
    expect([second.code, second.stderr]).toEqual([
      1,
      expect.stringContaining("the budget is 3/2000, and 1/1000 is spent"),
    ])
  })

  test("by the mechanism of Korolova et al. too, when it fails after its queries are drawn", async () => {
    const [file, out] = [at("korolova.json"), fresh("out")]
    const urls = write(Array.from({ length: 500_000 }, (_, i) => `http://${i}.example`).join("\n"), "urls.txt")
    const mechanism = [
      "--mode",
      "korolova",
      "--epsilon",
      "6",
      "--delta",
      "1e-5",
      "--pool-urls",
      urls,
      "--threshold",
      "1",
    ]
    const spending = ["--ledger", file, "--ledger-name", "town", "--budget", "7"]
    const args = ["anonymize", "counts", town, "-o", out, ...mechanism, ...spending]
    const first = await runCli(args)
    // About 120 queries times 500,000 urls, and noise alone would lift almost half of the pairs.
    expect([first.code, first.stderr]).toEqual([2, expect.stringContaining("public keys of clicks, too many")])
    expect(spentIn(file, "town").spent).toMatchObject([{ epsilon: "6", delta: "1/100000", unit: "user" }])
    expect(existsSync(out)).toBe(false)
    const second = await runCli(args)
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining("the budget is 7, and 6 is spent")])
  })

  test("under the id that the release has", async () => {
    const [file, out] = [at("id.json"), fresh("out")]
    const flags = ["--epsilon", "1", "--delta", "1e-6", "--ledger", file, "--ledger-name", "mine", "--budget", "1"]
    expect(await anonymize(out, ...flags)).toMatchObject({ code: empty })
    const { id } = JSON.parse(readFileSync(`${out}/release.json`, "utf8"))
    expect(spentIn(file, "mine").spent).toMatchObject([{ release: id }])
  })

  test("and a run that fails before costs nothing", async () => {
    const file = at("early.json")
    const flags = ["--ledger", file, "--ledger-name", "mine", "--budget", "1", "--pool", at("no-such-pool.txt")]
    expect((await anonymize(fresh("out"), "--mode", "pure", "--epsilon", "1", ...flags)).code).not.toBe(0)
    expect(existsSync(file)).toBe(false)
  })
})

describe("a killed run", () => {
  const holder = `
    import { changeLedger } from ${JSON.stringify(new URL("../../dist/release/ledger-file.js", import.meta.url).href)}
    await changeLedger(process.argv[1], () => {
      process.stdout.write("held\\n")
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_800_000)
    })`

  test("does not keep the ledger locked: the system releases its lock", async () => {
    const place = { file: at("killed.json"), log: "mine", budget: "1" }
    const child = spawn(process.execPath, ["--input-type=module", "-e", holder, place.file], { stdio: "pipe" })
    const ended = new Promise((resolve) => child.on("close", resolve))
    await new Promise((resolve) => child.stdout.once("data", resolve))
    const owner = { place: "the ledger", busy: () => new QueryveilError("ledger-busy", "busy"), keep: true }
    await expect(lockFile(`${place.file}.lock.duckdb`, owner)).rejects.toMatchObject({ code: "ledger-busy" })
    const spending = spendBudget(place, costOf("1", "0")) // waits
    child.kill("SIGKILL")
    await ended
    expect(await spending).toMatchObject({ spent: "1" })
    expect(readdirSync(at()).filter((name) => name.startsWith("killed.json"))).toEqual(["killed.json"])
  })

  test("of version 0.1 does not either", async () => {
    const place = { file: at("old-lock.json"), log: "mine", budget: "1" }
    writeFileSync(`${place.file}.lock`, "")
    expect(await spendBudget(place, costOf("1", "0"))).toMatchObject({ spent: "1" })
  })

  test("and runs at the same time spend no more than there is", async () => {
    const place = { file: at("beside.json"), log: "mine", budget: "3" }
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => spendBudget(place, costOf("1", "0"))))
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(3)
    expect(spentIn(place.file, "mine").spent).toHaveLength(3)
  })
})
