import type { LogOptions } from "./options.ts"

/** `minQueryUsers` → `--min-query-users` */
export const flagName = (key: string) => `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** A command for a shell. Words with anything but plain characters are quoted. */
export function shellCommand(words: readonly string[]): string {
  return words.map(quoteWord).join(" ")
}

function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  if (!hidden.test(word)) return `'${word.replaceAll("'", "'\\''")}'`
  const bytes = [...Buffer.from(word)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`)
  return `$'${bytes.join("")}'` // a terminal would obey these characters when the command is pasted
}

/** Control characters, and marks that change the direction of text. */
const hidden = /[\p{Cc}\p{Cf}]/u

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
  return shellCommand(["queryveil", ...name.split(" "), argument, ...flagWords(flags)])
}
