import { QueryveilError, systemCode } from "../kernels/error.ts"

/** The error for a file that the system cannot open or read. */
export function readError(path: string, cause: unknown): QueryveilError {
  const code = systemCode(cause)
  if (code === "EISDIR") {
    return new QueryveilError(
      "input-directory",
      `${path}: is a directory. Name the files in it, for example "${path.replace(/\/+$/, "")}/*.txt".`,
      { file: path, cause },
    )
  }
  const reason = code === "EACCES" || code === "EPERM" ? "you have no permission to read it" : `the system says ${code}`
  return new QueryveilError("input-unreadable", `${path}: cannot be read: ${reason}.`, { file: path, cause })
}
