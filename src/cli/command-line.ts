import { flagName } from "./flags.ts"

/** A command line that can be pasted into a shell: `queryveil attack DIR --against LOG --seed 1`. */
export function commandLine(name: string, argument: string, flags: Record<string, unknown>): string {
  const words = Object.entries(flags).flatMap(([key, value]) => {
    if (value === undefined || value === false) return []
    if (value === true) return [flagName(key)]
    return [flagName(key), ...(Array.isArray(value) ? value : [value]).map((word) => quote(String(word)))]
  })
  return ["queryveil", name, quote(argument), ...words].join(" ")
}

/** Words that a shell would not leave as they are stand in quotes. */
function quote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
