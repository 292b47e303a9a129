import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import {
  createContext,
  type MethodChoice,
  type ReleasePlaces,
  readLog,
  readRelease,
  release,
  verify,
  writeSynth,
} from "queryveil"
import { describe, expect, test } from "vitest"
import { aolText, smallTown } from "../support/aol-log.ts"
import { refusal } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const path = write(aolText(smallTown()))
const input = readLog(path)
const counts = { method: "counts", epsilon: 0.1, delta: 1e-6, split: "1,0,0" } as const

const mode = (file: string) => (statSync(file).mode & 0o777).toString(8)
const readJson = (...file: string[]) => JSON.parse(readFileSync(join(...file), "utf8"))

/** The folder and what is next to it: receipts, locks, unfinished files. */
const leftOf = (folder: string) => readdirSync(dirname(folder)).filter((name) => name.startsWith(basename(folder)))

describe("a release through the library is what the command line makes", () => {
  test.each<[string, MethodChoice, string[]]>([
    ["equality", { method: "equality", k: 3, time: "day" }, ["-k", "3", "--time", "day"]],
    ["swap", { method: "swap", k: 2, depth: 1, users: "session" }, ["-k", "2", "--depth", "1", "--users", "session"]],
    ["counts", { ...counts, delta: "1e-6" }, ["--epsilon", "0.1", "--delta", "1e-6", "--split", "1,0,0"]],
    ["wordnet", { method: "wordnet", preset: "paper", k: 2 }, ["--preset", "paper", "-k", "2"]],
  ])("%s", async (method, choice, flags) => {
    const [folder, audit, byCli, cliAudit] = [fresh(), fresh(), fresh(), fresh()]
    const { manifest, receipt } = await release(await input, choice, { folder, audit, to: "csv" })
    const args = ["anonymize", method, path, ...flags, "-o", byCli, "--audit", cliAudit, "--to", "csv", "--json"]
    const told = JSON.parse((await runCli(args)).stdout)

    expect(readJson(folder, "release.json")).toEqual(manifest)
    const cliManifest = readJson(byCli, "release.json")
    expect(Object.keys(manifest)).toEqual(Object.keys(cliManifest))
    expect(manifest.parameters).toEqual(cliManifest.parameters)
    expect(manifest.files.map(({ path }) => path)).toEqual(cliManifest.files.map((file: { path: string }) => file.path))
    expect(manifest.seeded).toBe(false)
    for (const [own, other] of [
      [folder, byCli],
      [audit, cliAudit],
    ] as const)
      expect(readdirSync(own).sort()).toEqual(readdirSync(other).sort())
    expect(leftOf(folder)).toHaveLength(2) // and the receipt, but no lock
    expect(readJson(`${folder}.receipt.json`)).toEqual(receipt)
    expect([receipt.input, receipt.warnings]).toEqual([told.receipt.input, told.receipt.warnings])
  })

  test("with a receipt and an audit that only the owner can read", async () => {
    const [folder, audit] = [fresh(), fresh()]
    const { manifest } = await release(await input, { method: "equality", k: 3 }, { folder, audit })
    expect([mode(`${folder}.receipt.json`), mode(audit), mode(folder)]).toEqual(["600", "700", "755"])
    for (const name of readdirSync(audit)) expect(mode(join(audit, name))).toBe("600")
    expect([readJson(`${folder}.receipt.json`).release, readJson(audit, "audit.json").release]).toEqual([
      manifest.id,
      manifest.id,
    ])
    const checks = await verify({ release: await readRelease(folder), log: (await input).log })
    expect(checks.filter(({ state }) => state === "failed")).toEqual([])
  })
})

describe("a ledger", () => {
  test("is paid in the same call, and a release over its budget is refused before anything is written", async () => {
    const ledger = { file: fresh("ledger"), budget: 0.2 }
    const folders = [fresh(), fresh()]
    const made = []
    for (const folder of folders) made.push(await release(await input, counts, { folder, ledger }))
    const before = readFileSync(ledger.file, "utf8")
    const [account] = Object.values<{ spent: { release: string }[] }>(JSON.parse(before).logs)
    expect(account?.spent.map(({ release }) => release)).toEqual(made.map(({ manifest }) => manifest.id))
    expect(made[0]?.receipt.warnings.join()).not.toContain("--ledger")
    expect(mode(ledger.file)).toBe("600")

    const third = fresh()
    const error = await refusal(release(await input, counts, { folder: third, ledger, audit: `${third}-audit` }))
    expect(error).toMatchObject({ code: "budget-spent" })
    expect([leftOf(third), readFileSync(ledger.file, "utf8")]).toEqual([[], before])
  })

  test("counts the same releases as the command line", async () => {
    const file = fresh("ledger")
    await release(await input, counts, { folder: fresh(), ledger: { file, budget: "0.2" } })
    const flags = ["--epsilon", "0.1", "--delta", "1e-6", "--split", "1,0,0", "--ledger", file]
    expect((await runCli(["anonymize", "counts", path, "-o", fresh(), ...flags])).code).toBe(4)
    expect(await refusal(release(await input, counts, { folder: fresh(), ledger: { file } }))).toMatchObject({
      code: "budget-spent",
    })
  })

  test("records a log under the owner's name for it, and still calls the caller's hook", async () => {
    const ledger = { file: fresh("ledger"), budget: 1, deltaBudget: 1e-5, name: "mine" }
    const called: unknown[] = []
    const context = { ...createContext(), beforeNoise: async (id?: string) => void called.push(id) }
    const { manifest } = await release(await input, counts, { folder: fresh(), ledger }, context)
    expect(readJson(ledger.file).logs.mine).toMatchObject({ budget: "1", deltaBudget: "1/100000" })
    expect(called).toEqual([manifest.id])
  })

  test("that is left out is recommended", async () => {
    const { receipt } = await release(await input, counts, { folder: fresh() })
    expect(receipt.warnings.join()).toContain("adds its ε and δ to those before it")
  })
})

describe("a maximum risk", () => {
  const raw = { method: "equality", k: 1, users: "pseudonym", scrub: "none" } as const

  test("refuses a release that may be linked more often, and writes nothing", async () => {
    const log = `${fresh()}.tsv`
    await writeSynth(log, { rows: 20_000, users: 400 })
    const [read, folder] = [await readLog(log), fresh()]
    const places = { folder, audit: `${folder}-audit` }
    const error = await refusal(release(read, raw, { ...places, maxRisk: 0.05 }))
    expect(error).toMatchObject({ code: "risk-high", message: expect.stringContaining("Nothing was written") })
    expect(leftOf(folder)).toEqual([])
    const { risk } = await release(read, raw, { ...places, maxRisk: 1 })
    expect(risk?.value).toBeGreaterThan(0.05)
    expect(existsSync(folder)).toBe(true)
  })
})

describe("of two calls at once into one folder", () => {
  test("only the one that writes it pays the ledger", async () => {
    const [folder, file] = [fresh(), fresh("ledger.json")]
    const call = async () => release(await input, counts, { folder, ledger: { file, budget: 10 } })
    const calls = await Promise.allSettled([call(), call()])
    expect(calls.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    expect(Object.values(readJson(file).logs).flatMap((log) => (log as { spent: unknown[] }).spent)).toHaveLength(1)
  })

  test("one writes it and the other is refused", async () => {
    const [read, folder] = [await input, fresh()]
    const calls = await Promise.allSettled([2, 3].map((k) => release(read, { method: "equality", k }, { folder })))
    const [lost, ...more] = calls.flatMap((call) => (call.status === "rejected" ? [call.reason] : []))
    const [won] = calls.flatMap((call) => (call.status === "fulfilled" ? [call.value] : []))
    expect([lost, more]).toMatchObject([{ code: "output-exists" }, []])
    expect(readJson(folder, "release.json").id).toBe(won?.manifest.id)
    expect(readJson(`${folder}.receipt.json`).release).toBe(won?.manifest.id)
    expect(leftOf(folder)).toHaveLength(2)
  })
})

describe("a request that cannot succeed is refused before the log is read", () => {
  const unread = () => Promise.reject(new Error("the log was read"))
  const taken = write("not a release", "taken")
  const ledger = { file: fresh("ledger"), budget: 1 }

  test.each<[string, MethodChoice, Omit<ReleasePlaces, "folder">, string]>([
    ["a ledger for a method without ε", { method: "equality" }, { ledger }, "usage"],
    ["a ledger in paper mode", { ...counts, delta: undefined, mode: "paper", preset: "paper" }, { ledger }, "usage"],
    ["a risk for tables", counts, { maxRisk: 0.1 }, "usage"],
    ["a risk for profiles", { method: "profiles" }, { maxRisk: 0.1 }, "usage"],
    ["a risk of more than 1", { method: "equality" }, { maxRisk: 5 }, "option-value"],
    ["a budget that is no number", counts, { ledger: { file: ledger.file, budget: "all" } }, "option-value"],
    ["a k of 0", { method: "equality", k: 0 }, {}, "option-value"],
    ["an ε that is missing", { method: "counts" }, {}, "usage"],
  ])("%s", async (_name, choice, places, code) => {
    const folder = fresh()
    expect(await refusal(release(unread, choice, { folder, ...places }))).toMatchObject({ code })
    expect([leftOf(folder), existsSync(ledger.file)]).toEqual([[], false])
  })

  test("a folder that is taken, and private places inside the release", async () => {
    const equality = { method: "equality" } as const
    const folder = fresh()
    for (const [places, code] of [
      [{ folder: taken }, "output-exists"],
      [{ folder, audit: join(folder, "audit") }, "usage"],
      [{ folder, keepApart: [join(folder, "cache")] }, "usage"],
    ] as const)
      expect(await refusal(release(unread, equality, places))).toMatchObject({ code })
    const inside = { file: join(folder, "ledger.json"), budget: 1 }
    expect(await refusal(release(unread, counts, { folder, ledger: inside }))).toMatchObject({ code: "usage" })
  })

  test.each([
    ["folder", {}, "usage"],
    ["ledger", { folder: "x", legder: ledger }, "option-unknown"],
    ["maxRisk", { folder: "x", maxrisk: 0.1 }, "option-unknown"],
    ["budget", { folder: "x", ledger: { ...ledger, bugdet: 1 } }, "option-unknown"],
    ["file format", { folder: "x", to: "xml" }, "option-value"],
  ])("a misspelt or missing place, from code without a compiler: %s", async (_name, places, code) => {
    const untyped = JSON.parse(JSON.stringify(places))
    expect(await refusal(release(unread, counts, untyped))).toMatchObject({ name: "QueryveilError", code })
  })

  test("and otherwise the log is read only when it is needed", async () => {
    let reads = 0
    const { manifest } = await release(
      () => {
        reads++
        return input
      },
      { method: "equality", k: 3 },
      { folder: fresh() },
    )
    expect([reads, manifest.method]).toEqual([1, "equality"])
  })
})
