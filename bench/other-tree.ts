import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** This checkout. */
export const thisTree = fileURLToPath(new URL("../..", import.meta.url))

/** A process that ended with an error, and what it said. */
export class ProcessError extends Error {
  readonly code: number | null

  constructor(message: string, code: number | null) {
    super(message)
    this.code = code
  }
}

/** The commit that git knows by this name, or undefined. */
export function findCommit(ref: string): string | undefined {
  try {
    return git("rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`).trim()
  } catch {
    return undefined
  }
}

/**
 * Checks out and builds a commit in a temporary folder, and removes the folder after the action, also if the action
 * fails or is stopped. Packages are those of this tree if the lock files are equal; otherwise npm installs them.
 */
export async function withTree<T>(
  commit: string,
  { signal, say }: { signal: AbortSignal; say(text: string): void },
  action: (tree: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "queryveil-against-"))
  const tree = join(folder, "tree")
  const packages = join(tree, "node_modules")
  const lockOf = (root: string) => readFileSync(join(root, "package-lock.json"), "utf8")
  try {
    say(`checking out ${commit.slice(0, 8)}`)
    git("worktree", "add", "--quiet", "--detach", tree, commit)
    if (lockOf(tree) === lockOf(thisTree)) {
      symlinkSync(realpathSync(join(thisTree, "node_modules")), packages)
    } else {
      say("package-lock.json differs: installing its packages")
      await runIn(tree, ["npm", "ci"], signal)
    }
    say("building it")
    await runIn(tree, ["npm", "run", "build"], signal)
    return await action(tree)
  } finally {
    removeTree(tree)
    rmSync(folder, { recursive: true, force: true })
  }
}

function removeTree(tree: string): void {
  rmSync(join(tree, "node_modules"), { recursive: true, force: true }) // a link is removed, not followed
  try {
    git("worktree", "remove", "--force", tree)
  } catch {
    // It was not checked out.
  }
}

/** Runs a program in a folder and returns what it printed. It and all that it started end with the signal. */
export function runIn(cwd: string, [program, ...args]: readonly string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    // A group of its own: a signal to npm alone would leave the programs that npm started.
    const child = spawn(program, args, { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] })
    const stop = () => child.pid !== undefined && process.kill(-child.pid, "SIGTERM")
    signal.addEventListener("abort", stop, { once: true })
    let printed = ""
    let said = ""
    child.stdout.setEncoding("utf8").on("data", (text) => (printed += text))
    child.stderr.setEncoding("utf8").on("data", (text) => (said += text))
    child.once("error", reject)
    child.once("close", (code) => {
      signal.removeEventListener("abort", stop)
      if (code === 0) resolve(printed)
      else reject(new ProcessError(`${[program, ...args].join(" ")}: exit code ${code}\n${said.slice(-2000)}`, code))
    })
  })
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: thisTree, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
}
