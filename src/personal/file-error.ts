import { readError } from "../files/read-error.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"

/** The error for a file that a person named and that cannot be read. */
export function fileError(path: string, cause: unknown): QueryveilError {
  const code = systemCode(cause)
  if (code === "EISDIR")
    return new QueryveilError("input-directory", `${path}: is a directory. Name a file.`, { file: path, cause })
  if (code !== "ENOENT") return readError(path, cause)
  return new QueryveilError("input-missing", `${path}: there is no such file. Check the path.`, { file: path, cause })
}
