import { lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { readRelease } from "#dist/release/read-release.js"
import { stateOf } from "../support/holds.ts"
import { publish } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"

const { at, fresh } = scratchFolder()
const log = at("log.tsv")
await synthLog(log, { rows: 20_000, users: 400 })

/** A folder of its own for each test, so that everything in it is known. */
function place(): string {
  const folder = fresh()
  mkdirSync(folder)
  return folder
}

/** No file may grow beyond 8 KiB. To a program that writes, this looks like a full disk. */
const smallDisk = 'ulimit -f 8; exec "$@"'
const isFull = /disk is full or a size limit was reached.*[Mm]ake room and run again/

describe("on a full disk", () => {
  test.each(["tsv", "parquet"])("a release as %s says so, ends with 1 and leaves nothing", async (to) => {
    const cwd = place()
    const { code, stderr } = await runCli(["anonymize", "equality", log, "-o", "out", "-k", "2", "--to", to], {
      cwd,
      shell: smallDisk,
    })
    expect([code, stderr]).toEqual([1, expect.stringMatching(isFull)])
    expect(readdirSync(cwd)).toEqual([])
  })

  test("a release with --force says so and leaves the earlier release", async () => {
    const cwd = place()
    const before = await publish(log, join(cwd, "out"), { k: 30 })
    const { code, stderr } = await runCli(["anonymize", "equality", log, "-o", "out", "-k", "2", "--force"], {
      cwd,
      shell: smallDisk,
    })
    expect([code, stderr]).toEqual([1, expect.stringMatching(isFull)])
    expect(readdirSync(cwd).sort()).toEqual(["out", "out.receipt.json"])
    expect(await stateOf(join(cwd, "out"), log)).toBe("passed")
    const { manifest } = await readRelease(join(cwd, "out"))
    expect(manifest.id).toBe(before.manifest.id)
  })

  test("no release is written if its audit does not fit", async () => {
    const cwd = place()
    const { code, stderr } = await runCli(["anonymize", "equality", log, "-o", "out", "-k", "45", "--audit", "audit"], {
      cwd,
      shell: smallDisk,
    })
    expect([code, stderr]).toEqual([1, expect.stringMatching(isFull)])
    expect(readdirSync(cwd)).toEqual([])
  })

  test("a study says so and leaves no half-written file; a new study leaves nothing", async () => {
    const cwd = place()
    const study = (k: string, shell = 'exec "$@"') =>
      runCli(["study", "equality", log, "-o", "study", "-k", k], { cwd, shell })
    expect(await study("2", smallDisk)).toMatchObject({ code: 1, stderr: expect.stringMatching(isFull) })
    expect(readdirSync(cwd)).toEqual([])
    await study("2")
    expect(await study("3", smallDisk)).toMatchObject({ code: 1, stderr: expect.stringMatching(isFull) })
    expect(
      readdirSync(join(cwd, "study"), { recursive: true }).filter((name) => `${name}`.includes("partial")),
    ).toEqual([])
  })

  // Uses a link, so that the device itself is safe whatever a command does to the given name.
  test("--rejects says so, ends with 1, writes no release and leaves the device alone", async () => {
    const cwd = place()
    symlinkSync("/dev/full", join(cwd, "full"))
    const { code, stderr } = await runCli(["anonymize", "equality", log, "-o", "out", "-k", "2", "--rejects", "full"], {
      cwd,
    })
    expect([code, stderr]).toEqual([1, expect.stringMatching(isFull)])
    expect(readdirSync(cwd)).toEqual(["full"])
    expect(lstatSync(join(cwd, "full")).isSymbolicLink()).toBe(true)
  })

  test.each([[[]], [["--json"]]])(
    "an answer that cannot be printed ends with 1; the release is whole (%j)",
    async (flags) => {
      const cwd = place()
      const { code, stderr } = await runCli(["anonymize", "equality", log, "-o", "out", "-k", "2", ...flags], {
        cwd,
        shell: 'exec "$@" >/dev/full',
      })
      expect([code, stderr]).toEqual([1, expect.stringMatching(/the answer could not be written.*ENOSPC/)])
      expect(readdirSync(cwd).sort()).toEqual(["out", "out.receipt.json"])
      expect(await stateOf(join(cwd, "out"), log)).toBe("passed")
    },
  )

  test("a reader that closes the pipe early causes no error", async () => {
    const { code, stderr } = await runCli(["--help"], { shell: 'set -o pipefail; "$@" | head -1 >/dev/null' })
    expect([code, stderr]).toEqual([0, ""])
  })
})

describe("a place that cannot be written", () => {
  test.each([
    ["in the place of the folder", "file"],
    ["in the place of its parent", "file/out"],
  ])("a file %s is named, and stays", async (_name, out) => {
    const cwd = place()
    writeFileSync(join(cwd, "file"), "precious")
    const { code, stderr } = await runCli(["anonymize", "equality", log, "-o", out, "-k", "2"], { cwd })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/file.*(is a file|not a folder|cannot be written)/)])
    expect(readdirSync(cwd)).toEqual(["file"])
  })

  test("a missing folder for --rejects is named, and no release is written", async () => {
    const cwd = place()
    const flags = ["-o", "out", "-k", "2", "--rejects", "nowhere/rejects.tsv"]
    const { code, stderr } = await runCli(["anonymize", "equality", log, ...flags], { cwd })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/nowhere\/rejects\.tsv: cannot be written/)])
    expect(readdirSync(cwd)).toEqual([])
  })
})
