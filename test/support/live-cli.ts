import type { ChildProcess } from "node:child_process"
import { startCli, toldBy } from "./run-cli.ts"

/** Runs `queryveil stream run` with these arguments. Returns the address where it takes records, and its result. */
export function startStream(args: readonly string[]) {
  const { child, ended } = startCli(["stream", "run", ...args])
  const listening = hears(child, (told) => /^listening on (\S+:\S+)$/m.exec(told)?.[1]).then((text) => new URL(text))
  listening.catch(() => {})
  return { child, ended, listening }
}

/**
 * The first truthy result of `find` on what a process of the command line has written to stderr since it started.
 * Rejects if the process ends without one.
 */
export function hears<T>(child: ChildProcess, find: (told: string) => T | undefined | false): Promise<T> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = find(toldBy(child))
      if (found !== undefined && found !== false) resolve(found)
    }
    child.stderr?.on("data", look)
    child.on("close", () => reject(new Error(`it ended before it said so: ${toldBy(child)}`)))
    look()
  })
}
