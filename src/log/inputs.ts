import { stat } from "node:fs/promises"
import { glob, isDynamicPattern } from "tinyglobby"
import { filePath } from "../files/file-place.ts"
import { readError } from "../files/read-error.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { splitScheme } from "../kernels/scheme.ts"

/** One input file as it was before it was read, or the standard input. */
export interface InputFile {
  path: string
  /** Bytes on disk. Undefined if there is no size (a pipe, the standard input). */
  size?: number
  /** True for a named pipe, which may keep a reader waiting. */
  pipe?: true
  /** Changes when the file's content or location changes. */
  stamp?: string
}

export const standardInput = "-"

/** Where logs are read from, by scheme. An address without a scheme is a file. */
const logSources: Readonly<Record<string, (rest: string) => Promise<InputFile[]>>> = {
  file: (rest) => findFiles(filePath(rest)),
}

/**
 * The files named by paths, globs, `file:PATH` and `-`, in the order given. The files of a glob are sorted by name.
 * Refuses a scheme that logs are not read from.
 */
export async function findInputs(patterns: readonly string[]): Promise<InputFile[]> {
  if (patterns.length === 0)
    throw new QueryveilError("usage", "No log was named. Give files, a glob, or - for the standard input.")
  const inputs: InputFile[] = []
  for (const pattern of patterns) {
    if (pattern === standardInput) {
      inputs.push({ path: standardInput })
      continue
    }
    const literal = await inspect(pattern)
    inputs.push(...(literal === undefined ? await findByScheme(pattern) : [literal]))
  }
  if (inputs.filter(({ path }) => path === standardInput).length > 1) {
    throw new QueryveilError("usage", "The standard input (-) can be read only once. Name it once.")
  }
  return inputs
}

async function findByScheme(pattern: string): Promise<InputFile[]> {
  const place = splitScheme(pattern)
  if (place === undefined) return findFiles(pattern)
  const find = logSources[place.scheme]
  if (find !== undefined) return find(place.rest)
  const known = Object.keys(logSources).map((scheme) => `${scheme}:`)
  throw new QueryveilError(
    "usage",
    `${pattern}: a log cannot be read from ${place.scheme}: (known: ${known.join(", ")}). ` +
      "Give a file, a glob, or - for the standard input.",
    { file: pattern },
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
