import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { whyNoKafka } from "../../servers/kafka-cluster.ts"
import { soakWorkers } from "./soak-workers.ts"

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    faults: { type: "string", default: "9" },
    seed: { type: "string", default: "1" },
  },
})
const [faults = Number.NaN, seed = Number.NaN] = [values.faults, values.seed].map(Number)
if (!Number.isInteger(faults) || faults < 0 || !Number.isInteger(seed)) {
  process.stderr.write("Usage: npm run soak -- kafka [--faults 9] [--seed 1]\n")
  process.exit(2)
}

/** Why it cannot run; throws the reason where servers are required. */
const why = whyNoKafka()
if (why !== undefined) process.stdout.write(`the soak of Kafka workers is skipped: ${why}\n`)
else {
  const folder = await mkdtemp(join(tmpdir(), "soak-workers-"))
  const say = (line: string) => process.stdout.write(`${line}\n`)
  const findings = await soakWorkers({ folder, faults, seed, say })
  for (const line of findings.lines()) say(`  ${line}`)
  if (findings.count > 0)
    say(`  to repeat: npm run soak -- kafka --faults ${faults} --seed ${seed}; what workers said: ${folder}`)
  else await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  process.exitCode = findings.count === 0 ? 0 : 1
}
