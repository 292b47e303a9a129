import { Type } from "#typebox"
import { createContext, type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { Intake } from "../log/intake.ts"
import { checkSignature } from "../project/signature.ts"
import type { Release } from "../release/read-release.ts"
import type { LogSizes } from "../release/receipt.ts"
import { isPromised } from "../study/report/promise-in-words.ts"
import { kindsIn, parseKinds } from "../text/identifiers/kinds.ts"
import { readExemptList } from "../verify/exempt-list.ts"
import { verify } from "../verify/registry.ts"
import { remoteModels } from "../verify/remote-original.ts"
import type { Check, CheckState, VerifySubject } from "../verify/verifier.ts"
import { overall } from "../verify/verifier.ts"
import { type AnswerOrigin, originOf, reserveAnswer, writeAnswer } from "./answer-files.ts"
import { listWarnings } from "./open-log.ts"
import { openRemote, readFrom } from "./open-remote.ts"
import { openSubject, relateOriginal } from "./open-subject.ts"
import {
  answerOption,
  checkOptions,
  type GivenOptions,
  type LogOptions,
  logOptions,
  onlyOption,
  pickOptions,
  releaseOptions,
} from "./options.ts"

export const verifyOptions = Type.Object({
  ...releaseOptions.properties,
  engine: Type.Optional(
    Type.String({
      placeholder: "address",
      description: "with --against: count in a table or files of a cluster, where they are (sc://HOST:15002 for Spark)",
    }),
  ),
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
  const { only, output, engine, ...all } = checkOptions("verifyRelease", verifyOptions, options)
  const { against, ...others } = all
  const places = engine === undefined ? all : others
  const { context, warnings } = listWarnings(given)
  await reserveAnswer(output, folder)
  const subject = await openSubject(folder, { ...places, ...(output !== undefined && { output }) }, context)
  const { release, original, audit, relation, receipt } = subject
  const side = { release, ...(audit && { audit }) }
  const { promises, elsewhere } =
    engine === undefined
      ? { promises: await verify({ ...side, ...(original && { log: original.log }) }, context), elsewhere: undefined }
      : await verifyElsewhere(side, { ...others, engine, against }, context)
  const intake = (elsewhere ?? original)?.intake
  const related = elsewhere === undefined ? relation : relateOriginal(receipt, elsewhere, context)
  const found = [...promises, ...(await checkSignature(folder))]
  const checks = only === undefined ? found : [...new Set(only)].map((name) => findCheck(name, found))
  const origin = originOf(release.manifest, { intake })
  const promised = isPromised(release.manifest)
  const state = overall(checks)
  // A small release can match a log that it was not made from, and an empty one matches any.
  const judged = state === "passed" && related === "other" ? "not checked" : state
  const answer = { folder, ...origin, state: judged, promised, checks, warnings }
  stopIfCancelled(context)
  await writeAnswer(output, "verify", answer)
  return answer
}

/**
 * Verifies a release against a log in a database elsewhere. The log stays there, and the database counts by itself, if
 * the verifier can work with counts. Otherwise its rows are read into this machine.
 */
async function verifyElsewhere(
  side: VerifySubject<Release>,
  { against, engine, ...how }: Pick<VerifyOptions, "against"> & LogOptions & { engine: string },
  context: RunContext,
): Promise<{ promises: Check[]; elsewhere: { log: LogSizes; intake: Intake } }> {
  if (against === undefined) throw new QueryveilError("usage", "--engine needs --against: the table, or the path.")
  const paths = typeof against === "string" ? [against] : against
  const scrub = kindsIn(parseKinds(String(side.release.manifest.parameters.scrub ?? "none")))
  const { queries } = await readExemptList(side)
  const log = await openRemote(paths, { ...pickOptions(logOptions, how), engine }, context)
  try {
    if (!remoteModels.includes(side.release.manifest.guarantee.model)) {
      const read = await readFrom(log, context)
      return { promises: await verify({ ...side, log: read.log }, context), elsewhere: read }
    }
    const remote = await log.original?.({ scrub, exempt: [...queries] }, context)
    if (remote === undefined) throw new QueryveilError("remote-refused", "This engine verifies nothing.")
    return { promises: await verify({ ...side, remote }, context), elsewhere: log }
  } finally {
    await log.close()
  }
}

function findCheck(name: string, checks: readonly Check[]): Check {
  const found = checks.find((check) => check.name === name)
  if (found !== undefined) return found
  const known = checks.map((check) => check.name).join(", ")
  throw new QueryveilError("unknown-name", `There is no check called ${name}. Checks: ${known}.`, { flag: "--only" })
}
