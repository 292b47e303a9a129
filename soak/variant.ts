import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { checkAccounts, type Summary } from "./check/accounts.ts"
import { checkCells } from "./check/cells.ts"
import { checkPools } from "./check/pools.ts"
import { checkReleases } from "./check/releases.ts"
import type { Driver, World } from "./drive/driver.ts"
import { Findings } from "./findings.ts"
import { killSomeWhen } from "./kill.ts"
import { startLife } from "./life.ts"
import { seedRandom } from "./random.ts"
import { searchMaker, topicsFile } from "./searches.ts"
import { Sent, type Settings } from "./sent.ts"
import { changeSettings, drawSettings } from "./settings.ts"

export interface VariantOptions {
  mode: "strict" | "paper"
  folder: string
  seed: number
  cycles: number
  openDriver(world: World): Promise<Driver>
}

/** What happened in a variant, and what was found. */
export interface VariantResult {
  records: number
  released: number
  kills: number
  changes: number
  findings: Findings
}

/** Runs one store over many lives. Each life is killed, the last one ends by itself, and then everything is checked. */
export async function runVariant({ mode, folder, seed, cycles, openDriver }: VariantOptions): Promise<VariantResult> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, "topics.tsv"), topicsFile)
  const random = seedRandom(seed)
  const sent = new Sent()
  const findings = new Findings()
  const make = searchMaker(random)
  const makeSearch = () => {
    const search = make()
    sent.add(search)
    return search
  }
  const world: World = { folder, random, sent, findings, makeSearch }
  const first = drawSettings(random)
  sent.propose(first)
  sent.confirm()
  const driver = await openDriver(world)
  const start = ({ k, depth }: Settings, isLast: boolean) =>
    startLife(
      [
        ...["run", "--store", join(folder, "store"), "--taxonomy", join(folder, "topics.tsv"), "--mode", mode],
        ...["--users", "keep", "--urls", "keep", "--time", "exact", "--checkpoint", "1", "--workers", "1"],
        ...["--admin", "127.0.0.1:0", "--json", "--k", `${k}`, "--depth", `${depth}`, ...driver.places({ isLast })],
      ],
      driver.onOutput?.(),
    )
  let [kills, changes, startup] = [0, 0, 500]
  for (let cycle = 0; cycle < cycles; cycle++) {
    const settings = random.chance(0.5) ? drawSettings(random) : first
    sent.propose(settings)
    const began = Date.now()
    const life = start(settings, false)
    life.says(/live page: (\S+)/).then((url) => {
      if (url === undefined) return
      startup = Date.now() - began
      sent.confirm()
    })
    const stop = new AbortController()
    const feeding = driver.feed(life, stop.signal)
    const changing = changeSettings(world, life)
    if (await killSomeWhen(life, { random, startup, progress: driver.progress })) kills++
    const { code, stderr } = await life.ended
    if (code !== null && code !== 0) findings.add(`a run ended with ${code}`, stderr.trim())
    stop.abort()
    await feeding
    changes += await changing
    await driver.collect()
  }
  await driver.complete?.()
  sent.propose(first)
  const life = start(first, true)
  await driver.finish(life)
  const { code, stdout, stderr } = await life.ended
  await driver.collect()
  await driver.close()
  if (code === 0) check(summaryOf(stdout, stderr), { mode, driver, world })
  else findings.add(`the last run ended with ${code}`, stderr.trim())
  return { records: sent.searches.length, released: driver.lines().length, kills, changes, findings }
}

/** If the releases go to stdout, the summary is on stderr. */
function summaryOf(stdout: string, stderr: string): Summary {
  return JSON.parse(stdout === "" ? (/^\{.*\}$/m.exec(stderr)?.[0] ?? "") : stdout)
}

function check(
  summary: Summary,
  { mode, driver, world }: { mode: "strict" | "paper"; driver: Driver; world: World },
): void {
  const { sent, findings } = world
  const { isLossless, isAnswered } = driver
  const releases = checkReleases(driver.lines(), sent, findings)
  const cells = mode === "strict" ? checkCells(releases, sent, findings) : undefined
  if (mode === "paper") checkPools(releases, sent, findings)
  checkAccounts(summary, sent, { isLossless, isAnswered, released: driver.lines().length, cells, findings })
}
