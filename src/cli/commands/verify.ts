import type { Command } from "commander"
import { pickOptions } from "../../app/options.ts"
import { type Verified, verifyOptions, verifyRelease } from "../../app/verify-release.ts"
import { tableOf } from "../../kernels/table.ts"
import { type Check, overall } from "../../verify/verifier.ts"
import { releaseArgument } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { textTable } from "../print.ts"

/** Exit codes of `verify` and `report`. */
export const stateCodes: Record<Check["state"], number> = {
  passed: 0,
  failed: 1,
  "not checked": 3,
  "not promised": 0,
}

/** The same codes in words, for the help. */
export const stateExits = { 0: "passed", 1: "failed", 3: "not everything could be checked" }

const sentences: Record<Check["state"], string> = {
  passed: "Every promise was checked and kept.",
  failed: "A check failed. Do not publish this release.",
  "not checked": "Nothing failed, but not everything could be checked: give what the checks need.",
  "not promised": "This release promises nothing: see its statement in release.json.",
}

const orderUnseen =
  "Whether names and their order follow users or lines was not looked at. Give --audit to check that too."
const otherLog = "Nothing failed, but the release was made from another log: give that one with --against."
const promisesNothing = "No check failed, but this release promises nothing: see its statement in release.json."

/** `verify DIR [--against LOG] [--audit DIR]` */
export function verifyCommand(): Command {
  return defineCommand({
    name: "verify",
    summary: "check what a release promises",
    argument: releaseArgument,
    exits: stateExits,
    flags: verifyOptions,
    async run(session, flags, [folder = ""]) {
      const verified = await verifyRelease(folder, pickOptions(verifyOptions, flags), session.context)
      session.answer("verify", verified)
      const { state, checks } = verified
      const more = flags.only === undefined && state === "passed" && lacksOrder(checks) ? `\n${orderUnseen}` : ""
      session.say(`${textTable(checksTable(checks))}\n\n${sentenceOf(verified)}${more}`)
      return stateCodes[state]
    },
  })
}

/** True if rows were checked and their order was not, which only the audit of the release makes possible. */
function lacksOrder(checks: readonly Check[]): boolean {
  const has = (name: string) => checks.some((check) => check.name === name)
  return has("names") && !has("order")
}

function sentenceOf({ state, promised, checks }: Verified): string {
  if (state === "passed" && !promised) return promisesNothing
  if (state === "not checked" && overall(checks) === "passed") return otherLog
  return sentences[state]
}

export function checksTable(checks: readonly Check[]) {
  return tableOf(
    ["state", "check", "promise", "found"],
    checks.map((check) => [check.state, check.name, check.promise, describeFinding(check)]),
  )
}

/** Six digits distinguish a value from its bound. */
const shorten = (value: number) => `${Number(value.toPrecision(6))}`

function describeFinding({ value, bound, row, detail, needs }: Check): string {
  const parts = [
    value === undefined ? "" : bound === undefined ? shorten(value) : `${shorten(value)} (bound ${shorten(bound)})`,
    row === undefined ? "" : `row ${row}`,
    detail ?? "",
    needs === undefined ? "" : `needs --${needs}`,
  ]
  return parts.filter((part) => part !== "").join(", ")
}
