import { readFile } from "node:fs/promises"
import { QueryveilError, systemCode } from "../../../kernels/error.ts"

/** Reads the JSON file that a flag names. */
export async function readJsonFlag(path: string, flag: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(path, "utf8")
  } catch (cause) {
    const why = systemCode(cause)
    throw new QueryveilError(
      why === "ENOENT" ? "input-missing" : why === "EISDIR" ? "input-directory" : "input-unreadable",
      `${flag} ${path}: ${why === "ENOENT" ? "there is no such file" : `cannot be read (${why})`}. Check the path.`,
      { file: path, flag, cause },
    )
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""))
  } catch {
    throw new QueryveilError("topics-broken", `${path}: is not JSON.`, { file: path, flag })
  }
}
