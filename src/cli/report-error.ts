import { schemaName } from "../app/answers/versions.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { tameText } from "./print.ts"

const usageCodes = new Set(["usage", "option-unknown", "option-value", "config", "unknown-name"])

/**
 * How errors are reported. Read from the command line at first, and from the command's flags and config once they are
 * known.
 */
const reporting = { json: false, debug: false }

export function setReporting(values: typeof reporting): void {
  Object.assign(reporting, values)
}

/** Reports an error and returns the exit code. Never shows text from a log: only our own messages are shown. */
export function reportError(error: unknown): number {
  const known = error instanceof QueryveilError
  const code = known ? error.code : "internal"
  const message = known
    ? error.message
    : `Something went wrong inside queryveil (${nameOf(error)}). Run again with --debug.`
  if (reporting.json) {
    const answer = { schema: schemaName("error"), error: { code, message, ...(known ? error.fields : {}) } }
    process.stderr.write(`${JSON.stringify(answer)}\n`)
  } else {
    process.stderr.write(tameText(`queryveil: ${message}\n`))
  }
  if (reporting.debug && error instanceof Error) {
    process.stderr.write(`${error.stack}\n${error.cause === undefined ? "" : `${String(error.cause)}\n`}`)
  }
  if (code === "interrupted") return 130
  return usageCodes.has(code) ? 2 : 1
}

const nameOf = (error: unknown) => systemCode(error) ?? (error instanceof Error ? error.name : typeof error)
