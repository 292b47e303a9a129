import type { Command } from "commander"
import { Type } from "#typebox"
import { QueryveilError } from "../../kernels/error.ts"
import { tableOf } from "../../kernels/table.ts"
import { readRelease } from "../../release/read-release.ts"
import { isPromised } from "../../study/report/promise-in-words.ts"
import { verify } from "../../verify/registry.ts"
import type { Check } from "../../verify/verifier.ts"
import { overall } from "../../verify/verifier.ts"
import { originOf, reserveAnswer, writeAnswer } from "../answers.ts"
import { answerFlag, onlyFlag, releaseArgument, releaseFlags } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { textTable } from "../print.ts"

/** Exit codes of `verify` and `report`. */
export const stateCodes: Record<Check["state"], number> = {
  passed: 0,
  failed: 1,
  "not checked": 3,
  "not promised": 0,
}

const sentences: Record<Check["state"], string> = {
  passed: "Every promise was checked and kept.",
  failed: "A check failed. Do not publish this release.",
  "not checked": "Nothing failed, but not everything could be checked: give what the checks need.",
  "not promised": "This release promises nothing: see its statement in release.json.",
}

const promisesNothing = "No check failed, but this release promises nothing: see its statement in release.json."

/** `verify DIR [--against LOG] [--audit DIR]` */
export function verifyCommand(): Command {
  return defineCommand({
    name: "verify",
    summary: "check what a release promises (exit 0: passed, 1: failed, 3: something was not checked)",
    argument: releaseArgument,
    flags: Type.Object({ ...releaseFlags.properties, only: onlyFlag, output: answerFlag() }),
    async run(session, flags, [folder = ""]) {
      const { against, output } = flags
      await reserveAnswer(output, folder)
      const release = await readRelease(folder)
      const original =
        against === undefined ? undefined : await session.readOriginal(against, flags, { folder, output })
      const audit = await session.openAudit(flags.audit)
      const all = await verify({ release, ...(original && { log: original.log }), ...audit }, session.context)
      const checks = flags.only === undefined ? all : [...new Set(flags.only)].map((name) => findCheck(name, all))
      const state = overall(checks)
      const answer = { folder, ...originOf(release.manifest, { intake: original?.intake }), state, checks }
      await writeAnswer(output, answer)
      session.answer(answer)
      const sentence = state !== "passed" || isPromised(release.manifest) ? sentences[state] : promisesNothing
      session.say(`${textTable(checksTable(checks))}\n\n${sentence}`)
      return stateCodes[state]
    },
  })
}

function findCheck(name: string, checks: readonly Check[]): Check {
  const found = checks.find((check) => check.name === name)
  if (found !== undefined) return found
  const known = checks.map((check) => check.name).join(", ")
  throw new QueryveilError("unknown-name", `There is no check called ${name}. Checks: ${known}.`, { flag: "--only" })
}

export function checksTable(checks: readonly Check[]) {
  return tableOf(
    ["state", "check", "promise", "found"],
    checks.map((check) => [check.state, check.name, check.promise, describeFinding(check)]),
  )
}

function describeFinding({ value, bound, row, detail, needs }: Check): string {
  const parts = [
    value === undefined ? "" : bound === undefined ? `${value}` : `${value} (bound ${bound})`,
    row === undefined ? "" : `row ${row}`,
    detail ?? "",
    needs === undefined ? "" : `needs --${needs}`,
  ]
  return parts.filter((part) => part !== "").join(", ")
}
