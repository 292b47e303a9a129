import { stat } from "node:fs/promises"
import { glob, isDynamicPattern } from "tinyglobby"
import { readError } from "../files/read-error.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"

/** One file of the input as it stood before it was read, or the standard input. */
export interface InputFile {
  path: string
  /** Bytes on disk; undefined for what has no size (a pipe, the standard input). */
  size?: number
  /** A named pipe, which may keep a reader waiting. */
  pipe?: true
  /** Changes when the file's content or place changes. */
  stamp?: string
}

export const standardInput = "-"

/** The files meant by paths, globs and `-`, in the order given; the files of a glob in the order of their names. */
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
    if (literal !== undefined) {
      inputs.push(literal)
      continue
    }
    const matches = isDynamicPattern(pattern)
      ? (await glob(pattern, { absolute: true, dot: true, expandDirectories: false })).sort()
      : []
    if (matches.length === 0) {
      throw new QueryveilError("input-missing", `${pattern}: there is no such file. Check the path or the pattern.`, {
        file: pattern,
      })
    }
    for (const path of matches) {
      const file = await inspect(path)
      if (file !== undefined) inputs.push(file)
    }
  }
  if (inputs.filter(({ path }) => path === standardInput).length > 1) {
    throw new QueryveilError("usage", "The standard input (-) can be read only once. Name it once.")
  }
  return inputs
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
