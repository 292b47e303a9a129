import type { ChildProcess } from "node:child_process"
import { startCli } from "./run-cli.ts"

/** Runs `queryveil stream run` with these arguments. Returns the address where it takes records, and its result. */
export function startStream(args: readonly string[]) {
  const { child, ended } = startCli(["stream", "run", ...args])
  const listening = hears(child, (told) => /^listening on (\S+:\S+)$/m.exec(told)?.[1]).then((text) => new URL(text))
  listening.catch(() => {})
  return { child, ended, listening }
}

/**
 * The first truthy result of `find` on what a process writes to stderr from now on. Rejects if the process ends without
 * one.
 */
export function hears<T>(child: ChildProcess, find: (told: string) => T | undefined | false): Promise<T> {
  let told = ""
  return new Promise((resolve, reject) => {
    child.stderr?.on("data", (text: string) => {
      told += text
      const found = find(told)
      if (found !== undefined && found !== false) resolve(found)
    })
    child.on("close", () => reject(new Error(`it ended before it said so: ${told}`)))
  })
}
