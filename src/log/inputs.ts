import { stat } from "node:fs/promises"
import { glob, isDynamicPattern } from "tinyglobby"
import { filePath } from "../files/file-place.ts"
import { readError } from "../files/read-error.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { splitScheme } from "../kernels/scheme.ts"
import type { IndexIntake } from "./intake.ts"

/** One input file as it was before it was read, or the standard input. */
export interface InputFile {
  path: string
  /** Bytes on disk. Undefined if there is no size (a pipe, the standard input). */
  size?: number
  /** True for a named pipe, which may keep a reader waiting. */
  pipe?: true
  /** Changes when the file's content or location changes. */
  stamp?: string
  /** Set if the lines come from elsewhere. Such an input is never kept in a cache. */
  remote?: RemoteInput
}

/** Lines that come from another machine. */
export interface RemoteInput {
  read(signal: AbortSignal | undefined): AsyncIterable<Buffer>
  /** Documents read so far, and in all; undefined before they are counted. */
  extent(): { done: number; total: number } | undefined
  /** What was read, once it is known. */
  describe(): IndexIntake | undefined
}

/** Finds inputs by the scheme of an address. */
export type InputFinder = (pattern: string) => Promise<InputFile[]>

export const standardInput = "-"

/**
 * The files named by paths, globs, `file:PATH` and `-`, in the order given. The files of a glob are sorted by name.
 * `more` finds inputs of other schemes. Refuses any other scheme.
 */
export async function findInputs(
  patterns: readonly string[],
  more: Readonly<Record<string, InputFinder>> = {},
): Promise<InputFile[]> {
  if (patterns.length === 0)
    throw new QueryveilError("usage", "No log was named. Give files, a glob, or - for the standard input.")
  const inputs: InputFile[] = []
  for (const pattern of patterns) {
    if (pattern === standardInput) {
      inputs.push({ path: standardInput })
      continue
    }
    const literal = await inspect(pattern)
    inputs.push(...(literal === undefined ? await findByScheme(pattern, more) : [literal]))
  }
  if (inputs.filter(({ path }) => path === standardInput).length > 1) {
    throw new QueryveilError("usage", "The standard input (-) can be read only once. Name it once.")
  }
  return inputs
}

async function findByScheme(pattern: string, more: Readonly<Record<string, InputFinder>>): Promise<InputFile[]> {
  const place = splitScheme(pattern)
  if (place === undefined) return findFiles(pattern)
  if (place.scheme === "file") return findFiles(filePath(place.rest))
  const find = Object.hasOwn(more, place.scheme) ? more[place.scheme] : undefined
  if (find !== undefined) return find(pattern)
  const known = ["file", ...Object.keys(more).filter((scheme) => !scheme.includes("+"))].map((scheme) => `${scheme}:`)
  const shown = pattern.replace(/\/\/[^/]*@/, "//…@") // an address may have a password in it
  throw new QueryveilError(
    "usage",
    `${shown}: a log cannot be read from ${place.scheme}: (known: ${known.join(", ")}). ` +
      "Give a file, a glob, or - for the standard input.",
    { file: shown },
  )
}

async function findFiles(pattern: string): Promise<InputFile[]> {
  const literal = await inspect(pattern)
  if (literal !== undefined) return [literal]
  const matches = isDynamicPattern(pattern)
    ? (await glob(pattern, { absolute: true, dot: true, expandDirectories: false })).sort()
    : []
  if (matches.length === 0) {
    throw new QueryveilError("input-missing", `${pattern}: there is no such file. Check the path or the pattern.`, {
      file: pattern,
    })
  }
  const files: InputFile[] = []
  for (const path of matches) {
    const file = await inspect(path)
    if (file !== undefined) files.push(file)
  }
  return files
}

async function inspect(path: string): Promise<InputFile | undefined> {
  try {
    const found = await stat(path, { bigint: true })
    if (found.isDirectory()) throw readError(path, { code: "EISDIR" })
    if (found.isFIFO()) return { path, pipe: true }
    if (!found.isFile()) return { path } // a device
    const { size, mtimeNs, ctimeNs, ino, dev } = found
    return { path, size: Number(size), stamp: [size, mtimeNs, ctimeNs, ino, dev].join(":") }
  } catch (error) {
    if (error instanceof QueryveilError) throw error
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return undefined
    throw readError(path, error)
  }
}
