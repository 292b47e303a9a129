import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { type Bench, type Finding, secondsAtMost } from "./case.ts"

const entries = ["queryveil", "queryveil/stream", "queryveil/personal", "queryveil/extend"]
const folder = fileURLToPath(new URL(".", import.meta.url))
const runs = 9
const say =
  'process.on("exit", () => { const { user, system } = process.cpuUsage(); console.log((user + system) / 1e6) })'

/** CPU time (user and system) of a Node process that runs this module and nothing else; the median of nine runs. */
async function costOf(code: string): Promise<Finding> {
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const args = ["--input-type=module", "-e", `${say}\n${code}`]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder })
    times.push(Number(stdout.trim().split("\n").at(-1)))
  }
  return { count: 1, seconds: times.sort((a, b) => a - b)[runs >> 1] ?? Number.NaN }
}

/** What an entry point costs before a program begins, in CPU time. */
export const imports: Bench = {
  name: "imports",
  prepare: async () => {},
  cases: [
    { name: "bare", run: () => costOf("") },
    ...entries.map((name) => ({ name, run: () => costOf(`await import("${name}")`) })),
  ],
  targets: entries.map((name) => secondsAtMost(name, 0.25)),
}
