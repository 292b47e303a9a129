import type { LogOptions } from "./options.ts"

/** `minQueryUsers` → `--min-query-users` */
export const flagName = (key: string) => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** A command for a shell. Words with anything but plain characters are quoted. */
export function shellCommand(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ")
}

/** `-k 10`, `--against a.tsv b.tsv`; a flag alone if the value is true. */
export function flagWords(values: Record<string, unknown>): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined || value === false) return []
    const name = key.length === 1 ? `-${key}` : flagName(key)
    return value === true ? [name] : [name, ...[value].flat().map(String)]
  })
}

/** The flags needed to read a log the same way again. */
export function readWords({ format, columns, jsonPath, unit, encoding }: LogOptions): string[] {
  return flagWords({ format, columns, jsonPath, unit, encoding })
}

/** A command line that can be pasted into a shell: `queryveil attack DIR --against LOG --seed 1`. */
export function commandLine(name: string, argument: string, flags: Record<string, unknown>): string {
  return shellCommand(["queryveil", name, argument, ...flagWords(flags)])
}
