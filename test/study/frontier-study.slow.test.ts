import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"
import { whenAppears } from "../support/when-appears.ts"
import { filesOf, frontierOf, numbersOf, pointsOf, tried } from "./run-frontier.ts"

const { at, fresh, write } = scratchFolder()
const log = at("synthetic.tsv")
const { argsOf, study } = frontierOf(log)
const grid = ["--grid", write(JSON.stringify(tried))]
const longer = { ...tried, equality: { k: Array.from({ length: 80 }, (_, i) => i + 2) } }

test("an interrupted frontier exits with 130, keeps only whole points, and computes the rest later", async () => {
  await synthLog(log, { rows: 3000, users: 100 })
  const [done, folder] = [fresh(), fresh()]
  const [all] = await study(done, ...grid, "--workers", "2")
  mkdirSync(join(folder, "points"), { recursive: true }) // to be watched
  // So many more points that it cannot finish before the signal arrives.
  const { child, ended } = startCli(argsOf(folder, "--grid", write(JSON.stringify(longer)), "--workers", "1"))
  await whenAppears(join(folder, "points"), /^[0-9a-f]+\.json$/, ended)
  child.kill("SIGINT")
  expect((await ended).code).toBe(130)
  const kept = pointsOf(folder)
  for (const name of filesOf(folder)) expect(kept).toContain(name.split(".")[0])
  expect(existsSync(join(folder, "index.html"))).toBe(false)
  const reused = kept.filter((name) => pointsOf(done).includes(name)).length
  expect(await study(folder, ...grid, "--workers", "1")).toEqual([all - reused, reused])
  expect(numbersOf(folder)).toEqual(numbersOf(done))
})
