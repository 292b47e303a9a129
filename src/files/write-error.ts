import { QueryveilError, systemCode } from "../kernels/error.ts"

/** True if the disk is full, or a quota or size limit was reached. */
export const isFull = (error: unknown): boolean => ["ENOSPC", "EDQUOT", "EFBIG"].includes(systemCode(error) ?? "")

/**
 * Converts a failed write to an error that a person understands. Errors of queryveil, and errors without a system code,
 * stay as they are.
 */
export function writeError(path: string, cause: unknown): unknown {
  const code = systemCode(cause)
  if (cause instanceof QueryveilError || code === undefined) return cause
  const [kind, what] = isFull(cause)
    ? (["output-full", `the disk is full or a size limit was reached (${code}). Make room and run again.`] as const)
    : (["output-unwritable", `cannot be written (${code}). Check the path and its permissions.`] as const)
  return new QueryveilError(kind, `${path}: ${what}`, { file: path, cause })
}
