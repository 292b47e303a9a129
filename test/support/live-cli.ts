import type { ChildProcess } from "node:child_process"
import { startCli } from "./run-cli.ts"

/** `queryveil stream run` with these arguments: the address where it takes records, and what becomes of it. */
export function startStream(args: readonly string[]) {
  const { child, ended } = startCli(["stream", "run", ...args])
  const listening = hears(child, (told) => /^listening on (\S+:\S+)$/m.exec(told)?.[1]).then((text) => new URL(text))
  listening.catch(() => {})
  return { child, ended, listening }
}

/** The first true thing that `find` makes of what a process says on stderr from now on. Rejects if it ends without. */
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
