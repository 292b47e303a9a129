import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { restoreSignatures } from "#dist/app/project/decide-release.js"
import { listReleases } from "#dist/app/project/list-releases.js"
import { openProject } from "#dist/project/open-project.js"
import { readRecord } from "#dist/project/record-chain.js"
import { aolText, smallTown } from "../support/aol-log.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, write } = scratchFolder()
const log = write(aolText(smallTown()))
const project = at("project")
const release = (name: string, ...more: string[]) => join(project, "releases", `${name}${more.join("")}`)
const studio = (...args: string[]) => runCli(["studio", ...args, "--project", project])
const who = ["--name", "Ada Example", "--reason", "a test"]

async function make(name: string): Promise<void> {
  const audit = join(project, "audits", name)
  const made = ["anonymize", "equality", log, "-k", "2", "-o", release(name), "--audit", audit]
  expect(await runCli(made)).toMatchObject({ code: 0 })
}

async function judge(name: string): Promise<void> {
  await runCli(["report", release(name), "--against", log, "--audit", join(project, "audits", name), "--force"])
}

beforeAll(async () => {
  await (await openProject(project)).close()
  await make("first")
})

describe("a release in a project", () => {
  test("cannot be signed before its report was made", async () => {
    const { code, stderr } = await studio("sign", "first", ...who, "--accept", "all")
    expect(code).toBe(1)
    expect(stderr).toContain("has no report")
  })

  test("cannot be handed out before it is signed", async () => {
    const { code, stderr } = await studio("hand-out", "first", "-o", at("too-early"))
    expect(code).toBe(1)
    expect(stderr).toContain("is not signed")
    expect(existsSync(at("too-early"))).toBe(false)
  })

  test("cannot be signed while a point is not accepted", async () => {
    await judge("first")
    const { code, stderr } = await studio("sign", "first", ...who, "--accept", "1")
    expect(code).toBe(1)
    expect(stderr).toMatch(/points are not accepted/)
  })

  test("can be refused, and the record says so", async () => {
    expect(await studio("refuse", "first", ...who)).toMatchObject({ code: 0 })
    const { stdout } = await studio("register", "--json")
    expect(JSON.parse(stdout).releases).toMatchObject([{ name: "first", state: "refused" }])
  })

  test("is signed once every point is accepted, and verify finds the signature", async () => {
    const { code, stdout } = await studio("sign", "first", ...who, "--accept", "all", "--json")
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ decision: "signed", number: 2, facts: { name: "Ada Example" } })
    expect(JSON.parse(stdout).facts.accepted.length).toBeGreaterThan(2)
    expect(statSync(release("first", ".signature.json")).mode & 0o777).toBe(0o600)
    const verified = await runCli(["verify", release("first"), "--only", "signature,signature-record", "--json"])
    expect(JSON.parse(verified.stdout)).toMatchObject({ state: "passed" })
  })

  test("is never signed twice, nor refused after it was signed", async () => {
    const before = readFileSync(release("first", ".signature.json"), "utf8")
    for (const decision of [
      ["sign", "first", ...who, "--accept", "all"],
      ["refuse", "first", ...who],
    ])
      expect(await studio(...decision)).toMatchObject({ code: 1 })
    expect(readFileSync(release("first", ".signature.json"), "utf8")).toBe(before)
  })

  test("is handed out without anything private, and only to an empty folder outside the project", async () => {
    expect(await studio("hand-out", "first", "-o", at("out"))).toMatchObject({ code: 0 })
    expect(readdirSync(at("out")).sort()).toEqual(readdirSync(release("first")).sort())
    expect(await runCli(["verify", at("out")])).toMatchObject({ code: 3 }) // needs the log
    const again = await studio("hand-out", "first", "-o", at("out"))
    expect(again.stderr).toContain("not empty")
    const inside = await studio("hand-out", "first", "-o", join(project, "out"))
    expect(inside.stderr).toContain("lies in the project")
  })
})

describe("after a release was signed", () => {
  const changes: [string, () => void, RegExp][] = [
    ["the report", () => writeFileSync(release("first", ".report.html"), "other"), /changed since: report/],
    ["the receipt", () => writeFileSync(release("first", ".receipt.json"), "{}"), /changed since: receipt/],
    ["the manifest", () => touch(release("first", "/release.json")), /changed since: manifest/],
    [
      "the name in the signature",
      () => edit(release("first", ".signature.json"), "Ada", "Eve"),
      /changed after it was made/,
    ],
    ["an entry of the record", () => edit(join(project, "record.ndjson"), "a test", "b test"), /line 1 was changed/],
    ["the end of the record", () => cutLast(join(project, "record.ndjson")), /not this signature|is not here/],
  ]
  test.each(changes)("a change of %s is found, and nothing is handed out", async (_what, change, found) => {
    const kept = ["first.report.html", "first.receipt.json", "first/release.json", "first.signature.json"].map((name) =>
      join(project, "releases", name),
    )
    kept.push(join(project, "record.ndjson"))
    for (const [i, path] of kept.entries()) copyFileSync(path, at(`kept-${i}`))
    change()
    const verified = await runCli(["verify", release("first"), "--json"])
    const checks: { name: string; state: string; detail?: string }[] = JSON.parse(verified.stdout).checks
    const bad = checks.filter(({ name, state }) => name.startsWith("signature") && state !== "passed")
    expect(bad.map(({ detail }) => detail).join()).toMatch(found)
    expect((await studio("hand-out", "first", "-o", at("never"))).code).toBe(1)
    expect(existsSync(at("never"))).toBe(false)
    for (const [i, path] of kept.entries()) copyFileSync(at(`kept-${i}`), path)
  })

  test("a signature that was recorded but not yet written is written when the project is opened", async () => {
    const path = release("first", ".signature.json")
    const before = JSON.parse(readFileSync(path, "utf8"))
    rmSync(path)
    const opened = await openProject(project)
    await restoreSignatures(opened)
    expect((await listReleases(opened)).releases[0]?.state).toBe("signed")
    await opened.close()
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(before)
  })

  test("two releases of one log are named as overlapping", async () => {
    await make("second")
    const { stdout } = await studio("register", "--json")
    expect(JSON.parse(stdout).overlaps).toEqual([{ releases: ["first", "second"], why: "same log" }])
    expect((await studio("register")).stdout).toContain("--other")
  })

  test("a release that fails its checks, or that changed since its report, cannot be signed", async () => {
    await judge("second")
    const [data] = readdirSync(release("second")).filter((name) => name !== "release.json")
    const path = release("second", `/${data}`)
    const kept = readFileSync(path)
    writeFileSync(path, Buffer.concat([kept, Buffer.from("\n")]))
    expect((await studio("sign", "second", ...who, "--accept", "all")).stderr).toMatch(/than its manifest names/)
    writeFileSync(path, kept)
    expect(
      (await readRecord(join(project, "record.ndjson"))).entries.filter(({ kind }) => kind === "signed"),
    ).toHaveLength(1)
  })

  test.each(["../first", "/etc", "a/b", ".", "..", "first.receipt.json", ""])(
    "%j is no name of a release",
    async (name) => {
      expect((await studio("sign", name, ...who, "--accept", "all")).code).not.toBe(0)
    },
  )
})

const edit = (path: string, from: string, to: string) =>
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to))
const touch = (path: string) => writeFileSync(path, `${readFileSync(path, "utf8")} `)
const cutLast = (path: string) => {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n")
  writeFileSync(
    path,
    lines
      .slice(0, 1)
      .map((line) => `${line}\n`)
      .join(""),
  )
}
