import { mkdtemp, rm } from "node:fs/promises"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Driver, World } from "./drive/driver.ts"
import { fileDriver, gzipDriver } from "./drive/file.ts"
import { httpDriver } from "./drive/http.ts"
import { kafkaDriver } from "./drive/kafka.ts"
import { socketDriver } from "./drive/socket.ts"
import { standardDriver } from "./drive/standard.ts"
import { runVariant } from "./variant.ts"

const drivers: Record<string, (world: World) => Promise<Driver>> = {
  file: fileDriver,
  gzip: gzipDriver,
  http: httpDriver,
  tcp: (world) => socketDriver(world, "tcp"),
  unix: (world) => socketDriver(world, "unix"),
  stdout: standardDriver,
  kafka: kafkaDriver,
}
/** These need a server, so they run only if they are named. */
const withServers = ["kafka"]
const modes = ["strict", "paper"] as const

const { values } = parseArgs({
  options: {
    cycles: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: String(Math.min(2, availableParallelism())) },
    only: { type: "string" },
    keep: { type: "boolean", default: false },
  },
})
const [cycles, seed, jobs] = [values.cycles, values.seed, values.jobs].map(Number)
const all = Object.entries(drivers).flatMap(([transport, openDriver]) =>
  modes.map((mode) => ({ transport, mode, name: `${transport}-${mode}`, openDriver })),
)
const chosen = all.filter(({ transport, name }) =>
  values.only === undefined ? !withServers.includes(transport) : [transport, name].includes(values.only),
)
if (!cycles || !jobs || seed === undefined || Number.isNaN(seed) || chosen.length === 0) {
  process.stderr.write(
    `Usage: npm run soak -- [--cycles 60] [--seed 1] [--jobs 2] [--only ${Object.keys(drivers).join("|")}] [--keep]\n`,
  )
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), "soak-"))
const say = (...words: (string | number)[]) =>
  process.stdout.write(
    `${words.map((word, i) => (i < 2 ? String(word).padEnd(8) : String(word).padStart(9))).join(" ")}\n`,
  )
say("", "mode", "cycles", "records", "released", "kills", "changes", "findings")
let found = 0
let next = 0
const work = async () => {
  for (let at = next++; at < chosen.length; at = next++) {
    const variant = chosen[at]
    if (variant === undefined) return
    const { transport, mode, name, openDriver } = variant
    const own = Math.max(1, Math.floor(cycles / chosen.length) + (at < cycles % chosen.length ? 1 : 0))
    const place = join(folder, name)
    const options = { mode, folder: place, seed: seed * 100 + all.indexOf(variant), cycles: own, openDriver }
    const { records, released, kills, changes, findings } = await runVariant(options)
    say(transport, mode, own, records, released, kills, changes, findings.count)
    for (const line of findings.lines()) process.stdout.write(`  ${line}\n`)
    if (findings.count > 0)
      process.stdout.write(`  to repeat: npm run soak -- --cycles ${own} --seed ${seed} --only ${name}; see ${place}\n`)
    else if (!values.keep) await rm(place, { recursive: true, force: true })
    found += findings.count
  }
}
await Promise.all(Array.from({ length: jobs }, work))
if (found === 0 && !values.keep) await rm(folder, { recursive: true, force: true })
process.exitCode = found === 0 ? 0 : 1
