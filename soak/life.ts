import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

const cli = fileURLToPath(new URL("../../dist/cli/queryveil.cjs", import.meta.url))

/** How a process ended. */
interface End {
  /** null: ended by a signal. */
  code: number | null
  stdout: string
  stderr: string
}

/** One process of `queryveil stream`. */
export interface Life {
  child: ChildProcess
  ended: Promise<End>
  isOver(): boolean
  /** The first match in its stderr; undefined if it ends without one. */
  says(pattern: RegExp): Promise<string | undefined>
}

/** Starts `queryveil stream` with these arguments. `onOutput` receives what it writes to stdout. */
export function startLife(args: readonly string[], onOutput?: (bytes: Uint8Array) => void): Life {
  const child = spawn(process.execPath, [cli, "stream", ...args], { stdio: "pipe" })
  let stdout = ""
  let stderr = ""
  let isOver = false
  let awaiting: (() => void)[] = []
  const wake = () => {
    const woken = awaiting
    awaiting = []
    for (const resolve of woken) resolve()
  }
  child.stdin.on("error", () => {}) // it may be killed before it has read everything
  child.stdout.on("data", (bytes: Uint8Array) => {
    if (onOutput === undefined) stdout += bytes
    else onOutput(bytes)
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
    wake()
  })
  const ended = new Promise<End>((resolve) => {
    child.on("close", (code) => {
      isOver = true
      wake()
      resolve({ code, stdout, stderr })
    })
  })
  return {
    child,
    ended,
    isOver: () => isOver,
    async says(pattern) {
      for (;;) {
        const found = pattern.exec(stderr)
        if (found !== null) return found[1]
        if (isOver) return undefined
        await new Promise<void>((resolve) => awaiting.push(resolve))
      }
    },
  }
}
