import { existsSync, readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { release } from "#dist/app/release.js"
import { openRemoteLog } from "#dist/engine/open-remote-log.js"
import { writeSynth } from "#dist/release/write-synth.js"
import { type SparkCluster, whyNoSpark } from "../../servers/spark-cluster.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { sharedSpark } from "../support/shared-spark.ts"

const { at, fresh } = scratchFolder()
const program = createRequire(import.meta.url).resolve("#dist/cli/queryveil.cjs")
/** Does something else than a kernel, but answers the check of versions. */
const insteadOfKernel = (what: string) => `[ "$1" = kernel ] || exec "${process.execPath}" "${program}" "$@"\n${what}`

describe.skipIf(whyNoSpark() !== undefined)("a release on a cluster", () => {
  let spark: SparkCluster
  const log = at("log.tsv")
  beforeAll(async () => {
    await writeSynth(log, { rows: 500, users: 30, seed: 3 })
    spark = await sharedSpark()
  })
  afterAll(() => spark?.setCommand())

  const releaseTo = async (folder: string) => {
    const remote = await openRemoteLog(spark.address, log)
    try {
      return await release(remote, { method: "equality", k: 2 }, { folder })
    } finally {
      await remote.close()
    }
  }
  const tables = () =>
    readdirSync(spark.folders.warehouse, { recursive: true }).filter((name) => /_tmp_/.test(`${name}`))

  test.each([
    ["dies", "head -n 3; exit 3", "spark-failed"],
    ["stops early", "head -n 3; exit 0", "kernel-rows"],
    ["answers nonsense", "cat >/dev/null; echo nonsense; exit 0", "kernel-rows"],
  ])("is not made if a kernel %s, and leaves nothing behind", async (_, what, code) => {
    await spark.setCommand(insteadOfKernel(what))
    const folder = fresh("release")
    await expect(releaseTo(folder)).rejects.toMatchObject({ code })
    expect(existsSync(folder)).toBe(false)
    expect(tables()).toEqual([])
  })

  test("is made when the kernels work again", async () => {
    await spark.setCommand()
    const { manifest } = await releaseTo(fresh("release"))
    expect(manifest.files[0]?.rows).toBeGreaterThan(0)
    expect(tables()).toEqual([])
  })
})
