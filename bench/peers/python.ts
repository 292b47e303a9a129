import { execFile, execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { serverFolder } from "../../servers/server-folder.ts"
import type { Finding } from "../case.ts"
import { benchFolder } from "../data.ts"
import { thisTree } from "../other-tree.ts"
import { rounds } from "../trial.ts"
import { threads } from "./comparison.ts"

/** What people would use instead, from PyPI. */
const packages = [
  "polars==2.1.0",
  "duckdb==2.0.0",
  "numpy==2.4.6",
  "scipy==1.17.1",
  "sparse-dot-topn==1.2.0",
  "opendp==0.16.0",
  "pytrec-eval-terrier==0.5.11",
  "presidio-analyzer==2.2.366",
  "nltk==3.10.4",
]

/** A virtual environment of Python. The number is raised with the packages. */
const folder = join(serverFolder, "peers-1")
const python = join(folder, "bin", "python")
const done = join(folder, "done")
const reason = join(folder, "why-not")

/** Input and output of the peers. */
export const peersFolder = join(benchFolder, "peers")

/** Installs the peers once. If that fails, it keeps the reason for `whyNoPeers`. */
export function installPeers(): void {
  if (existsSync(done)) return
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync("python3", ["-m", "venv", folder], { stdio: "pipe" })
    execFileSync(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages], {
      stdio: "pipe",
    })
    writeFileSync(done, `${packages.join("\n")}\n`)
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT"
    writeFileSync(reason, isMissing ? "there is no python3" : `the peers cannot be installed: ${lastSaid(error)}`)
  }
}

/** The last line that a program wrote before it failed. */
const lastSaid = (error: unknown) =>
  error instanceof Error && "stderr" in error ? String(error.stderr).trim().split("\n").at(-1) : String(error)

function whyNoPeers(): string | undefined {
  if (existsSync(done)) return undefined
  return existsSync(reason)
    ? readFileSync(reason, "utf8")
    : "the peers are not installed: run the bench once with --prepare"
}

/**
 * Runs a script of this folder, which prints its finding as JSON. Every library that has threads may use two. Without
 * the peers the finding says why.
 */
export async function askPeer(script: string, options: Record<string, unknown>): Promise<Finding> {
  const skipped = whyNoPeers()
  if (skipped !== undefined) return { count: 0, seconds: 0, skipped }
  const limits = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS", "RAYON_NUM_THREADS"]
  const [program = "", ...args] = scriptCommand(
    script,
    JSON.stringify({ rounds, threads, folder: peersFolder, ...options }),
  )
  const env = { ...process.env, ...Object.fromEntries(limits.map((name) => [name, `${threads}`])) }
  try {
    const { stdout } = await promisify(execFile)(program, args, { env })
    return JSON.parse(stdout)
  } catch (error) {
    return { count: 0, seconds: 0, skipped: `failed: ${lastSaid(error)}` }
  }
}

/** The command of a script, for a whole process to be measured. */
export const scriptCommand = (script: string, ...args: string[]): string[] => [
  python,
  join(thisTree, "bench", "peers", script),
  ...args,
]
