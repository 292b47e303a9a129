import { flagWords, shellCommand } from "./shell-words.ts"

/** A command line that can be pasted into a shell: `queryveil attack DIR --against LOG --seed 1`. */
export function commandLine(name: string, argument: string, flags: Record<string, unknown>): string {
  return shellCommand(["queryveil", name, argument, ...flagWords(flags)])
}
