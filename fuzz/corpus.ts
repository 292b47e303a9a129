import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Prefix of inputs that once failed; they stay when the corpus is rebuilt. */
const foundPrefix = "found-"

/** The inputs of a target, with the names of their files. */
export function readCorpus(folder: string): { name: string; input: Uint8Array }[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).sort()
  return names.map((name) => ({ name, input: readFileSync(join(folder, name)) }))
}

const nameOf = (input: Uint8Array) => createHash("sha256").update(input).digest("hex").slice(0, 12)

/** Keeps an input that failed, and returns its path. */
export function keepFound(folder: string, input: Uint8Array): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${foundPrefix}${nameOf(input)}`)
  writeFileSync(path, input)
  return path
}

const mostInputs = 40
const mostBytes = 8 << 10

/** Replaces the inputs that never failed with these, as far as there is room. */
export function replaceCorpus(folder: string, inputs: readonly Uint8Array[]): void {
  mkdirSync(folder, { recursive: true })
  for (const { name } of readCorpus(folder)) if (!name.startsWith(foundPrefix)) rmSync(join(folder, name))
  let bytes = 0
  for (const input of inputs.slice(0, mostInputs)) {
    bytes += input.length
    if (bytes > mostBytes) return
    writeFileSync(join(folder, nameOf(input)), input)
  }
}
