import { Type } from "#typebox"
import { createContext, type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { checkSignature } from "../project/signature.ts"
import { isPromised } from "../study/report/promise-in-words.ts"
import { verify } from "../verify/registry.ts"
import type { Check, CheckState } from "../verify/verifier.ts"
import { overall } from "../verify/verifier.ts"
import { type AnswerOrigin, originOf, reserveAnswer, writeAnswer } from "./answer-files.ts"
import { listWarnings } from "./open-log.ts"
import { openSubject } from "./open-subject.ts"
import { answerOption, checkOptions, type GivenOptions, onlyOption, releaseOptions } from "./options.ts"

export const verifyOptions = Type.Object({
  ...releaseOptions.properties,
  only: onlyOption,
  output: answerOption(),
})

/** The original and the audit, which checks to run, and a file for the answer. */
export interface VerifyOptions extends Omit<GivenOptions<typeof verifyOptions>, "against"> {
  /** The original log: files, globs, or `-`. */
  against?: string | readonly string[] | undefined
}

/** The checks of what a release promises. */
export interface Verified extends AnswerOrigin {
  folder: string
  state: CheckState
  /** False if the release promises nothing, whatever the checks found. */
  promised: boolean
  checks: Check[]
  warnings: string[]
}

/** Checks what the release in a folder promises, as `queryveil verify` does. */
export async function verifyRelease(
  folder: string,
  options: VerifyOptions = {},
  given: RunContext = createContext(),
): Promise<Verified> {
  const { only, output, ...places } = checkOptions("verifyRelease", verifyOptions, options)
  const { context, warnings } = listWarnings(given)
  await reserveAnswer(output, folder)
  const subject = await openSubject(folder, { ...places, ...(output !== undefined && { output }) }, context)
  const { release, original, audit } = subject
  const promises = await verify({ release, ...(original && { log: original.log }), ...(audit && { audit }) }, context)
  const all = [...promises, ...(await checkSignature(folder))]
  const checks = only === undefined ? all : [...new Set(only)].map((name) => findCheck(name, all))
  const origin = originOf(release.manifest, { intake: original?.intake })
  const promised = isPromised(release.manifest)
  const answer = { folder, ...origin, state: overall(checks), promised, checks, warnings }
  stopIfCancelled(context)
  await writeAnswer(output, "verify", answer)
  return answer
}

function findCheck(name: string, checks: readonly Check[]): Check {
  const found = checks.find((check) => check.name === name)
  if (found !== undefined) return found
  const known = checks.map((check) => check.name).join(", ")
  throw new QueryveilError("unknown-name", `There is no check called ${name}. Checks: ${known}.`, { flag: "--only" })
}
