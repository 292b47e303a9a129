import { execFileSync } from "node:child_process"

/** Makes a named pipe. */
export function makePipe(path: string): string {
  execFileSync("/usr/bin/env", ["mkfifo", path])
  return path
}
