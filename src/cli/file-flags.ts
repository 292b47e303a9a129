import { createReadStream } from "node:fs"
import type { TObject } from "#typebox"
import { flagName } from "../app/shell-words.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { parseFunctionWords } from "../text/function-words.ts"
import { factsOf } from "./flags.ts"

/** Replaces paths by the content of their files, for the keys whose schema says `fromFile`. */
export async function readFileFlags<V extends object>(schema: TObject, values: V): Promise<V> {
  const read: Record<string, string> = {}
  for (const [key, value] of Object.entries(values)) {
    const { fromFile, unless = [] } = factsOf(schema.properties[key] ?? {})
    if (fromFile === undefined || typeof value !== "string" || unless.includes(value)) continue
    const text = await readText(value, flagName(key))
    // The line end distinguishes a list of one word from a name such as `none`.
    read[key] = fromFile === "words" ? `${[...parseFunctionWords(text)].join(" ")}\n` : text
  }
  return { ...values, ...read }
}

/** The most bytes of a list, which is read as a whole. */
const largestList = 64 << 20

async function readText(path: string, flag: string): Promise<string> {
  const bytes = await readBytes(path, flag)
  if (bytes.length > largestList)
    throw new QueryveilError("option-value", `${flag} ${path}: the list is larger than 64 MiB. Give a shorter list.`, {
      file: path,
      flag,
    })
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new QueryveilError("input-encoding", `${flag} ${path}: is not text in UTF-8. Save the list as UTF-8.`, {
      file: path,
      flag,
      cause,
    })
  }
}

/** Reads a file as a stream, so that no more is held in memory than a list may have. */
async function readBytes(path: string, flag: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of createReadStream(path)) {
      chunks.push(chunk)
      length += chunk.length
      if (length > largestList) break
    }
    return Buffer.concat(chunks)
  } catch (cause) {
    const why = systemCode(cause)
    throw new QueryveilError(
      why === "ENOENT" ? "input-missing" : "input-unreadable",
      `${flag} ${path}: ${why === "ENOENT" ? "there is no such file" : `cannot be read (${why})`}. Check the path.`,
      { file: path, flag, cause },
    )
  }
}
