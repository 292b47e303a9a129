import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { openSparkSession } from "#dist/engine/spark/open-session.js"
import { createContext } from "#dist/kernels/context.js"
import { whyNoSpark } from "../../../servers/spark-cluster.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { sharedSpark } from "../../support/shared-spark.ts"

const reason = whyNoSpark()
const { fresh } = scratchFolder()
const moduleOf = (path: string) => pathToFileURL(createRequire(import.meta.url).resolve(`#dist/${path}`)).href

/** Makes a temporary table and prints its name. After a line of input it keeps all workers busy, for ever. */
const driver = `
  const { openSparkSession } = await import(${JSON.stringify(moduleOf("engine/spark/open-session.js"))})
  const { createContext } = await import(${JSON.stringify(moduleOf("kernels/context.js"))})
  const session = await openSparkSession(process.argv[1], createContext())
  const table = await session.temporaryTable()
  await session.run("CREATE TABLE " + table + " USING parquet AS SELECT 1 AS n", { stage: "testing" })
  console.log(table)
  await new Promise((resolve) => process.stdin.once("data", resolve))
  await session.run("CREATE TABLE " + (await session.temporaryTable()) + " USING parquet AS " +
    "SELECT count_if(sha2(CAST(id AS STRING), 512) LIKE 'ffff%') n FROM range(0, 100000000000, 1, 64)", { stage: "t" })`

describe.skipIf(reason !== undefined)(`a lost driver${reason === undefined ? "" : `: ${reason}`}`, () => {
  const state = fresh("state")
  beforeAll(() => vi.stubEnv("XDG_STATE_HOME", state))
  afterAll(() => vi.unstubAllEnvs())

  /** Number of jobs that the cluster runs. */
  async function runningJobs(pages: string): Promise<number> {
    const ask = async <T>(path: string): Promise<T[]> =>
      JSON.parse(await (await fetch(`${pages}/api/v1/applications${path}`)).text())
    const [first] = await ask<{ id: string }>("")
    return (await ask(`/${first?.id}/jobs?status=running`)).length
  }

  test("leaves tables and jobs that the next session on this machine ends, but not while it lives", async () => {
    const { address, folders, pages } = await sharedSpark()
    const child = spawn(process.execPath, ["--input-type=module", "-e", driver, address], {
      stdio: ["pipe", "pipe", "inherit"],
    })
    const [table = ""] = await once(createInterface(child.stdout), "line")
    const made = join(folders.warehouse, table)
    await (await openSparkSession(address, createContext())).close()
    expect(existsSync(made)).toBe(true)
    child.stdin.write("\n")
    await vi.waitUntil(async () => (await runningJobs(pages)) > 0, { timeout: 120_000, interval: 200 })
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
    expect(existsSync(made)).toBe(true)
    await (await openSparkSession(address, createContext())).close()
    expect(await runningJobs(pages)).toBe(0)
    expect(readdirSync(folders.warehouse)).toEqual([])
    expect(readdirSync(join(state, "queryveil", "spark"))).toEqual([])
  })
})
