import { fileURLToPath } from "node:url"
import { QueryveilError } from "../kernels/error.ts"

/**
 * The path in an address with the scheme `file`: `file:PATH`, or the URL `file:///PATH`. `rest` is the part after
 * `file:`.
 */
export function filePath(rest: string): string {
  if (!rest.startsWith("//")) return rest
  try {
    return fileURLToPath(`file:${rest}`)
  } catch (cause) {
    throw new QueryveilError("usage", `file:${rest}: names no file on this machine. Give file:PATH or a plain path.`, {
      file: `file:${rest}`,
      cause,
    })
  }
}
