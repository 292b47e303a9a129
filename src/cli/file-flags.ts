import { readFile } from "node:fs/promises"
import type { TObject } from "#typebox"
import { flagName } from "../app/shell-words.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { parseFunctionWords } from "../text/function-words.ts"
import { factsOf } from "./flags.ts"

/** Puts the content of files in the place of their paths, for the keys whose schema says `fromFile`. */
export async function readFileFlags<V extends object>(schema: TObject, values: V): Promise<V> {
  const read: Record<string, string> = {}
  for (const [key, value] of Object.entries(values)) {
    const { fromFile, unless = [] } = factsOf(schema.properties[key] ?? {})
    if (fromFile === undefined || typeof value !== "string" || unless.includes(value)) continue
    const text = await readText(value, flagName(key))
    // The line end tells a list of one word from a name, such as `none`.
    read[key] = fromFile === "words" ? `${[...parseFunctionWords(text)].join(" ")}\n` : text
  }
  return { ...values, ...read }
}

async function readText(path: string, flag: string): Promise<string> {
  try {
    return await readFile(path, "utf8")
  } catch (cause) {
    const why = systemCode(cause)
    throw new QueryveilError(
      why === "ENOENT" ? "input-missing" : "input-unreadable",
      `${flag} ${path}: ${why === "ENOENT" ? "there is no such file" : `cannot be read (${why})`}. Check the path.`,
      { file: path, flag, cause },
    )
  }
}
