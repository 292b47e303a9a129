import { type ChildProcess, spawn } from "node:child_process"
import { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { runCommandLine } from "#dist/cli/run-command-line.js"
import { checkPrinted } from "./check-answer.ts"

// FORCE_COLOR is set for the test runner's own output. Command output is compared without colours.
delete process.env.FORCE_COLOR

const cliPath = fileURLToPath(new URL("../../dist/cli/queryveil.cjs", import.meta.url))

export interface CliResult {
  /** null if a signal ended it. */
  code: number | null
  stdout: string
  /** Without the lines of `readAs`. */
  stderr: string
  /** What was said about the columns of each log. Every command that reads a log says it on stderr. */
  readAs: string[]
}

const readLine = /^read as .*\n/gm

/** Tests of crashes leave files open in this process. Node says so when it collects them, during any later command. */
const leftOpen = /^\(node:\d+\) (?:Warning: Closing file descriptor|\[DEP0137\]).*\n/gm

export interface CliOptions {
  cwd?: string
  stdin?: string | Uint8Array
  /** A line of bash in which `"$@"` is the command, for limits and redirections. */
  shell?: string
  /** Run it as a process of its own, even if nothing else here requires that. */
  spawned?: boolean
}

const told = new WeakMap<ChildProcess, string>()

/** What a process of `startCli` has written to stderr so far. */
export const toldBy = (child: ChildProcess) => told.get(child) ?? ""

/** Starts a command line as a process of its own. Returns the process and its result. */
export function startCli(args: readonly string[], options: CliOptions = {}) {
  const command = [process.execPath, cliPath, ...args]
  const [program = "", ...rest] =
    options.shell === undefined ? command : ["bash", "-c", options.shell, "bash", ...command]
  const child = spawn(program, rest, { cwd: options.cwd, stdio: "pipe" })
  let stdout = ""
  told.set(child, "")
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    told.set(child, toldBy(child) + text)
  })
  child.stdin.on("error", () => {}) // it may end without having read its input
  child.stdin.end(options.stdin)
  const ended = new Promise<CliResult>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => {
      try {
        resolve(resultOf(code, stdout, toldBy(child)))
      } catch (error) {
        reject(error)
      }
    })
  })
  return { child, ended }
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs `queryveil` with these arguments in this process, one command after another: starting a process costs more than
 * most commands. With `shell` or `spawned` it is a process of its own.
 */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { shell, spawned = false, ...here } = options
  if (spawned || shell !== undefined) return startCli(args, options).ended
  const result = last.then(() => runHere(args, here))
  last = result.catch(() => {})
  return result
}

async function runHere(
  args: readonly string[],
  { cwd, stdin = "" }: Pick<CliOptions, "cwd" | "stdin">,
): Promise<CliResult> {
  const [folder, exitCode, input] = [process.cwd(), process.exitCode, Object.getOwnPropertyDescriptor(process, "stdin")]
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)]
  Object.defineProperty(process, "stdin", { configurable: true, value: Readable.from([Buffer.from(stdin)]) })
  if (cwd !== undefined) process.chdir(cwd)
  try {
    const { code } = await runCommandLine(args)
    return resultOf(code, stdout.text(), stderr.text().replace(leftOpen, ""))
  } finally {
    if (cwd !== undefined) process.chdir(folder)
    if (input !== undefined) Object.defineProperty(process, "stdin", input)
    process.exitCode = exitCode
    stdout.release()
    stderr.release()
  }
}

/** Captures what is written to a stream, instead of writing it. */
function capture(stream: NodeJS.WriteStream) {
  const chunks: Buffer[] = []
  const write = stream.write
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk as Uint8Array))
    const done = rest.findLast((value) => typeof value === "function")
    if (done !== undefined) process.nextTick(done)
    return true
  }
  return {
    text: () => Buffer.concat(chunks).toString("utf8"),
    release: () => {
      stream.write = write
    },
  }
}

/** Makes a result. JSON output must match its schema. */
function resultOf(code: number | null, stdout: string, stderr: string): CliResult {
  for (const printed of [stdout, stderr]) checkPrinted(printed)
  const readAs = (stderr.match(readLine) ?? []).map((line) => line.trimEnd())
  return { code, stdout, stderr: stderr.replace(readLine, ""), readAs }
}
