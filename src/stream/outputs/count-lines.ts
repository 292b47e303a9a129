import { open } from "node:fs/promises"
import { writeError } from "../../files/write-error.ts"
import { QueryveilError, systemCode } from "../../kernels/error.ts"

const lineFeed = 10
const chunkBytes = 1 << 20

/** Counts the complete lines of a file after a byte offset. Returns 0 if the file does not exist. */
export async function countLines(path: string, from: number): Promise<number> {
  try {
    const file = await open(path, "r")
    try {
      const chunk = Buffer.allocUnsafe(chunkBytes)
      let lines = 0
      for (let at = from; ; ) {
        const { bytesRead } = await file.read(chunk, 0, chunkBytes, at)
        if (bytesRead === 0) return lines
        const bytes = chunk.subarray(0, bytesRead)
        for (let feed = bytes.indexOf(lineFeed); feed >= 0; feed = bytes.indexOf(lineFeed, feed + 1)) lines++
        at += bytesRead
      }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (systemCode(error) === "ENOENT") return 0
    throw writeError(path, error)
  }
}

/**
 * The error for an output with more releases than the store. Releases are in the journal before they are in the output,
 * so either an older store was restored or its last commits are damaged.
 */
export function isAhead(path: string): QueryveilError {
  return new QueryveilError(
    "output-ahead",
    [
      `${path}: has more releases than the store knows. Releasing them again would reveal who is who.`,
      "Nothing was written.",
      "Restore the store that belongs to it, or start with a new store and a new output.",
    ].join(" "),
    { file: path },
  )
}
