import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { aolText, marker, smallTown } from "../support/aol-log.ts"
import { publish } from "../support/publish.ts"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"
import { whenAppears } from "../support/when-appears.ts"

const { at, fresh, write } = scratchFolder()
const log = write(aolText(smallTown()))

const pageOf = (folder: string) => readFileSync(join(folder, "index.html"), "utf8")

describe("queryveil study equality", () => {
  test("computes nothing in a second run, and everything for another log", async () => {
    const folder = fresh()
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCli(["study", "equality", ...args, "-o", folder, "-k", "2,3"])
      expect(stdout + stderr).not.toContain(marker)
      expect(code).toBe(0)
      return /^\d+ points computed, \d+ taken/.exec(stdout)?.[0]
    }
    expect(await run(log)).toBe("2 points computed, 0 taken")
    const before = pageOf(folder)
    expect(await run(log)).toBe("0 points computed, 2 taken")
    expect(pageOf(folder)).toBe(before)
    expect(await run(write(aolText(smallTown().slice(1))), "--seed", "1")).toBe("2 points computed, 0 taken")
  })

  test("is not written into a release, because it would be published with it", async () => {
    const release = fresh()
    await publish(log, release)
    const { code, stderr } = await runCli(["study", "equality", log, "-o", release, "-k", "2"])
    expect([code, stderr]).toEqual([1, expect.stringContaining(release)])
    expect(readdirSync(release).sort()).toEqual(["log.tsv", "release.json"])
  })

  test("exits with 130 when interrupted, keeps its points, and continues from there", async () => {
    const large = at("large.tsv")
    await synthLog(large, { rows: 20_000, users: 500 })
    const folder = fresh()
    await runCli(["study", "equality", log, "-o", folder, "-k", "2"]) // makes the folder, to be watched
    const known = readdirSync(join(folder, "points"))
    const args = ["study", "equality", large, "-o", folder, "-k", Array.from({ length: 60 }, (_, i) => i + 1).join()]
    const { child, ended } = startCli(args)
    await whenAppears(join(folder, "points"), /^[0-9a-f]+\.json$/, ended)
    child.kill("SIGINT")
    const { code } = await ended
    expect(code).toBe(130)
    const done = readdirSync(join(folder, "points")).filter((name) => !known.includes(name))
    expect(done.length).toBeLessThan(60)
    for (const name of done)
      expect(JSON.parse(readFileSync(join(folder, "points", name), "utf8"))).toHaveProperty("scores")
    const next = await runCli([...args.slice(0, -1), "1,2", "--json"])
    expect([next.code, JSON.parse(next.stdout)]).toEqual([
      0,
      expect.objectContaining({ computed: done.length < 2 ? 1 : 0 }),
    ])
    expect(existsSync(join(folder, "index.html"))).toBe(true)
  })
})
