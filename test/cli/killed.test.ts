import { mkdirSync, readdirSync } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { aolText, smallTown } from "../support/aol-log.ts"
import { stateOf } from "../support/holds.ts"
import { makePipe } from "../support/named-pipe.ts"
import { publish } from "../support/publish.ts"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"
import { whenAppears } from "../support/when-appears.ts"

const { at, fresh, write } = scratchFolder()
const small = write(aolText(smallTown()))
const large = at("large.tsv")
await synthLog(large, { rows: 200_000, users: 4000 })

const partials = (folder: string) => readdirSync(folder).filter((name) => name.includes(".partial-"))

/**
 * Runs `anonymize` of the large log to `out` in a new folder, and sends a signal as soon as it writes. A command that
 * finished before the signal proves nothing, so it is run again in another folder.
 */
async function stopWhileWriting(how: NodeJS.Signals, prepare: (folder: string) => Promise<unknown> = async () => {}) {
  for (let attempt = 0; attempt < 5; attempt++) {
    const folder = fresh()
    mkdirSync(folder)
    await prepare(folder)
    const flags = ["-o", join(folder, "out"), "-k", "1", "--workers", "2", "--force"]
    const { child, ended } = startCli(["anonymize", "equality", large, ...flags])
    await whenAppears(folder, /\.partial-/, ended)
    child.kill(how)
    const { code, stderr } = await ended
    if (code !== 0) return { folder, code, stderr }
  }
  throw new Error("the command was always done before the signal came")
}

describe("kill -9 while a release is written", () => {
  test("leaves no folder that looks whole, and the next run removes what is left and nothing else", async () => {
    const { folder, code } = await stopWhileWriting("SIGKILL")
    expect(code).toBeNull()
    expect(readdirSync(folder)).not.toContain("out")
    expect(partials(folder)).toHaveLength(1)
    // The name of a partial folder says which process writes it. A partial folder of this process must not be touched.
    const alive = partials(folder)[0].replace(/-\d+-([0-9a-f]+)$/, `-${process.pid}-$1`)
    mkdirSync(join(folder, alive))
    const next = await runCli(["anonymize", "equality", small, "-o", join(folder, "out"), "-k", "3"])
    expect([next.code, next.stderr]).toEqual([0, ""])
    expect(readdirSync(folder).sort()).toEqual(["out", alive, "out.receipt.json"])
  })

  test("leaves the release that --force would have replaced", async () => {
    const { folder } = await stopWhileWriting("SIGKILL", (place) => publish(small, join(place, "out")))
    expect(await stateOf(join(folder, "out"), small)).toBe("passed")
  })
})

describe("an interruption", () => {
  test("by SIGINT while a release is written ends with 130 and leaves nothing", async () => {
    const { folder, code, stderr } = await stopWhileWriting("SIGINT")
    expect([code, stderr]).toEqual([130, "queryveil: Interrupted. Nothing was left half written.\n"])
    expect(readdirSync(folder)).toEqual([])
  })

  test("by SIGTERM leaves the release that --force would have replaced, and its receipt", async () => {
    const { folder, code } = await stopWhileWriting("SIGTERM", (place) => publish(small, join(place, "out")))
    expect(code).toBe(130)
    expect(readdirSync(folder).sort()).toEqual(["out", "out.receipt.json"])
    expect(await stateOf(join(folder, "out"), small)).toBe("passed")
  })

  test("while the log is read from a pipe ends with 130, without waiting for more", async () => {
    const folder = fresh()
    mkdirSync(folder)
    const pipe = makePipe(join(folder, "pipe"))
    const cli = startCli(["anonymize", "equality", pipe, "-o", join(folder, "out"), "-k", "3"])
    const end = await open(pipe, "w") // opens when the command reads
    try {
      await end.write(aolText(smallTown()))
      cli.child.kill("SIGINT")
      const { code } = await cli.ended
      expect(code).toBe(130)
      expect(readdirSync(folder)).toEqual(["pipe"])
    } finally {
      await end.close()
    }
  })
})
