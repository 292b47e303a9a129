import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { checkPrinted } from "./check-answer.ts"

const cliPath = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))

export interface CliResult {
  /** null: ended by a signal. */
  code: number | null
  stdout: string
  /** Without the lines of `readAs`. */
  stderr: string
  /** What was said about the columns of each log: every command that reads one says it on stderr. */
  readAs: string[]
}

const readLine = /^read as .*\n/gm

export interface CliOptions {
  cwd?: string
  stdin?: string | Uint8Array
  /** A line of bash in which `"$@"` is the command, for limits and redirections. */
  shell?: string
}

/** A command line that is running, and what becomes of it. What it prints in JSON must be as its schema says. */
export function startCli(args: readonly string[], options: CliOptions = {}) {
  const command = [process.execPath, cliPath, ...args]
  const [program = "", ...rest] =
    options.shell === undefined ? command : ["bash", "-c", options.shell, "bash", ...command]
  const child = spawn(program, rest, { cwd: options.cwd, stdio: "pipe" })
  let stdout = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
  })
  child.stdin.on("error", () => {}) // it may end without having read its input
  child.stdin.end(options.stdin)
  const ended = new Promise<CliResult>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => {
      try {
        for (const printed of [stdout, stderr]) checkPrinted(printed)
      } catch (error) {
        reject(error)
      }
      const readAs = (stderr.match(readLine) ?? []).map((line) => line.trimEnd())
      resolve({ code, stdout, stderr: stderr.replace(readLine, ""), readAs })
    })
  })
  return { child, ended }
}

/** Runs `queryveil` with these arguments. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return startCli(args, options).ended
}
