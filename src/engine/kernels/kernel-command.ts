import { QueryveilError } from "../../kernels/error.ts"
import { isObject, type JsonObject, parseJson } from "../../log/formats/json-record.ts"
import { packageVersion } from "../../release/package-version.ts"

/**
 * The command that runs a kernel. Its options are one word of base64url, so that no shell reads anything into them.
 * They carry the driver's version: a kernel of another version might normalise a text differently.
 */
export function kernelCommand(kernel: string, options: JsonObject = {}): string {
  const word = Buffer.from(JSON.stringify({ version: packageVersion(), options })).toString("base64url")
  return `queryveil kernel ${kernel} ${word}`
}

/** The options in the word of a kernel's command. Refuses the word of a driver of another version. */
export function readKernelOptions(word: string | undefined): JsonObject {
  if (word === undefined) return {}
  const given = parseJson(Buffer.from(word, "base64url").toString("utf8"))
  if (!isObject(given) || !isObject(given.options))
    throw new QueryveilError("kernel-input", "The options of this kernel are not those that a driver writes.")
  const version = packageVersion()
  if (given.version === version) return given.options
  throw new QueryveilError(
    "kernel-version",
    `This machine has queryveil ${version}, and the driver has another version. Install the same version on both.`,
  )
}
