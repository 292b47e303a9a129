import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { withStudyFolder } from "#dist/study/study-folder.js"
import { aolText, smallTown } from "../support/aol-log.ts"
import { expectRefused } from "../support/expect-refused.ts"
import { refusal } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, fresh, write } = scratchFolder()
const log = write(aolText(smallTown()))
const study = (folder: string, input = log) => runCli(["study", "equality", input, "-o", folder, "-k", "2"])

/** A process that has exclusive use of the folder from now on. */
async function startHolder(folder: string) {
  const script = fileURLToPath(new URL("fixtures/hold-study.mjs", import.meta.url))
  const child = spawn(process.execPath, [script, folder], { stdio: ["pipe", "pipe", "inherit"] })
  const [said] = await once(child.stdout, "data")
  expect(String(said)).toBe("held\n")
  return child
}

describe("a folder in which a study runs", () => {
  test("is refused to a second run before the log is read, and is free after the first", async () => {
    const folder = fresh()
    await withStudyFolder(folder, async () => {
      const busy = {
        code: 1,
        message: /another run is using this study folder.*Wait until it is done, or choose another/,
      }
      expectRefused(await study(folder, at("no-log.tsv")), busy)
      expectRefused(await runCli(["advise", at("no-log.tsv"), "-o", folder]), busy)
      expect(await refusal(withStudyFolder(`${folder}/.`, async () => {}))).toMatchObject({ code: "study-busy" })
    })
    expect(await study(folder)).toMatchObject({ code: 0, stderr: "" })
  })

  test("is free again after the run was killed, and half-written files are removed", async () => {
    const folder = fresh()
    expect(await study(folder)).toMatchObject({ code: 0 })
    const holder = await startHolder(folder)
    expect(await refusal(withStudyFolder(folder, async () => {}))).toMatchObject({ code: "study-busy" })
    const half = ["index.html", `points/${"0".repeat(24)}.json`, "data/x.csv"].map(
      (name) => `${name}.partial-host-1-aa`,
    )
    for (const name of half) writeFileSync(join(folder, name), "half")
    holder.kill("SIGKILL")
    await once(holder, "exit")
    expect(await study(folder)).toMatchObject({ code: 0, stderr: "" })
    for (const name of half) expect(existsSync(join(folder, name))).toBe(false)
  })

  test("does not affect a run in another folder", async () => {
    await withStudyFolder(fresh(), async () => {
      expect(await study(fresh())).toMatchObject({ code: 0 })
    })
  })
})

describe("a study that cannot start", () => {
  test("leaves no new folder, and does not change an existing one", async () => {
    const folder = fresh()
    expectRefused(await study(folder, at("no-log.tsv")), { code: 1, message: /no such file/ })
    expect(existsSync(folder)).toBe(false)
    await study(folder)
    const before = readdirSync(folder, { recursive: true }).sort()
    await study(folder, at("no-log.tsv"))
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before)
  })

  test("refuses a folder with points and files that are not a study's", async () => {
    const folder = fresh()
    for (const name of ["points", "data", "releases"]) mkdirSync(join(folder, name), { recursive: true })
    const files = ["data/mine.csv", "releases/notes.txt", "points/map.json", "readme.txt"]
    for (const name of files) writeFileSync(join(folder, name), "mine")
    expectRefused(await study(folder), { code: 1, message: /contains other files than a study/ })
    for (const name of files) expect(readFileSync(join(folder, name), "utf8")).toBe("mine")
  })

  test("refuses a file, a folder below a file, and a folder with other files, each with a message", async () => {
    const file = write("mine")
    expectRefused(await study(file), { code: 1, message: /is a file. Choose another name/ })
    expectRefused(await study(join(file, "below")), { code: 1, message: /cannot be written \(ENOTDIR\)/ })
    const other = fresh()
    mkdirSync(other)
    writeFileSync(join(other, "thesis.txt"), "text")
    expectRefused(await study(other), { code: 1, message: /contains other files than a study/ })
    expect(readdirSync(other)).toEqual(["thesis.txt"])
    expect(readFileSync(file, "utf8")).toBe("mine")
  })
})
