import { execFile } from "node:child_process"
import { availableParallelism, cpus } from "node:os"
import { promisify } from "node:util"
import { againstUsage, runAgainst } from "./against.ts"
import type { Bench, Finding } from "./case.ts"
import { benchNames, loadBench, loadBenches } from "./registry.ts"

if (process.argv.includes("--against")) process.exit(await runAgainst(process.argv.slice(2), await loadBenches()))

const [name, ...flags] = process.argv.slice(2)
const bench = await loadBench(name ?? "")
if (bench === undefined) {
  process.stderr.write(`Usage: npm run bench -- ${benchNames.join("|")} [--json]\n`)
  process.stderr.write(`       ${againstUsage}\n`)
  process.exit(2)
}

const caseFlag = flags.indexOf("--case")
if (flags.includes("--prepare")) await bench.prepare()
else if (caseFlag >= 0) await runCase(bench, flags[caseFlag + 1])
else await runBench(bench, { json: flags.includes("--json") })

/** The child process: runs one case and prints its finding and its peak memory as JSON. */
async function runCase({ cases }: Bench, caseName: string | undefined): Promise<void> {
  const found = cases.find((candidate) => candidate.name === caseName)
  if (found === undefined) throw new Error(`unknown case ${caseName}`)
  const finding = await found.run()
  process.stdout.write(JSON.stringify({ peakMegabytes: process.resourceUsage().maxRSS / 1024, ...finding }))
}

async function runChild({ name: benchName, limitSeconds = 0 }: Bench, args: readonly string[]): Promise<string> {
  const program = process.argv[1] ?? ""
  const timeout = args.includes("--case") ? limitSeconds * 1000 : 0
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--max-old-space-size=8192", program, benchName, ...args],
    { timeout },
  )
  return stdout
}

/** Runs a case in a process of its own. In a bench with a limit, a case is skipped if the process is killed. */
async function measureCase(chosen: Bench, caseName: string): Promise<Finding & { peakMegabytes: number }> {
  try {
    return JSON.parse(await runChild(chosen, ["--case", caseName]))
  } catch (error) {
    if (chosen.limitSeconds === undefined || !(error instanceof Error && "signal" in error && "killed" in error))
      throw error
    if (error.signal === null) throw error
    const skipped = error.killed ? `over ${chosen.limitSeconds} s` : `out of memory (${error.signal})`
    return { count: 0, seconds: 0, peakMegabytes: 0, skipped }
  }
}

async function runBench(chosen: Bench, options: { json: boolean }): Promise<void> {
  // Only in child processes: a process starts with the peak memory of its parent, so the parent must stay small.
  await runChild(chosen, ["--prepare"])
  const findings = new Map<string, Finding & { peakMegabytes: number }>()
  for (const { name: caseName } of chosen.cases) {
    findings.set(caseName, await measureCase(chosen, caseName))
  }
  const targets = chosen.targets.map(({ what, limit, check }) => ({ what, limit, ...check(findings) }))
  if (options.json) {
    process.stdout.write(
      `${JSON.stringify({ bench: chosen.name, cases: Object.fromEntries(findings), targets }, null, 2)}\n`,
    )
  } else {
    const model = cpus()[0]?.model ?? "unknown"
    process.stdout.write(`${chosen.name} on ${availableParallelism()} cores (${model}), Node ${process.version}\n\n`)
    for (const [caseName, { count, seconds, peakMegabytes, skipped }] of findings) {
      if (skipped !== undefined) {
        process.stdout.write(`${caseName.padEnd(32)}skipped: ${skipped}\n`)
        continue
      }
      const rate = Math.round(count / seconds).toLocaleString("en")
      const peak = Math.round(peakMegabytes).toLocaleString("en")
      const cells = [`${seconds.toFixed(2).padStart(8)} s`, `${rate.padStart(13)} rows/s`, `${peak.padStart(8)} MB`]
      process.stdout.write(`${caseName.padEnd(32)}${cells.join("")}\n`)
    }
    process.stdout.write(`\n${chosen.print === undefined ? "" : `${chosen.print(findings)}\n`}`)
    for (const { what, limit, value, met } of targets) {
      process.stdout.write(`${met ? "met   " : "MISSED"}  ${what.padEnd(48)}${value.padStart(12)}  (${limit})\n`)
    }
  }
  process.exitCode = targets.every(({ met }) => met) ? 0 : 1
}
