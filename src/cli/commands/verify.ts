import { Command, Option } from "commander"
import { QueryveilError } from "../../kernels/error.ts"
import { tableOf } from "../../methods/table.ts"
import { readRelease } from "../../release/read-release.ts"
import { overall, verify } from "../../verify/registry.ts"
import type { Check } from "../../verify/verifier.ts"
import { onlyOption, parseOnly } from "../only.ts"
import { textTable } from "../print.ts"
import { addReadFlags, finish } from "../session.ts"

const exitCodes: Record<Check["state"], number> = { holds: 0, fails: 1, unchecked: 3 }

/** `verify DIR [--against LOG]` */
export function verifyCommand(): Command {
  const command = new Command("verify")
    .description("check what a release promises (exit 0: holds, 1: fails, 3: something could not be checked)")
    .argument("<release>", "folder that anonymize wrote")
    .addOption(new Option("--against <log...>", "the original log, for the checks that need it"))
    .addOption(onlyOption())
  addReadFlags(command)
  return finish(command, async (session, [folder = ""]) => {
    const release = await readRelease(folder)
    const against = session.list("against")
    const log = against === undefined ? undefined : (await session.readLog(against)).log
    const only = parseOnly(session.flag("only"))
    const all = await verify({ release, ...(log === undefined ? {} : { log }) }, session.context)
    const checks = only === undefined ? all : selectChecks(all, only)
    const state = overall(checks)
    session.answer({ folder, state, checks })
    session.say(`${textTable(checksTable(checks))}\n\n${sentences[state]}`)
    return exitCodes[state]
  })
}

const sentences: Record<Check["state"], string> = {
  holds: "The release holds what it promises.",
  fails: "The release does not hold what it promises. Do not publish it.",
  unchecked: "Nothing failed, but not everything could be checked: give the original log with --against.",
}

function selectChecks(checks: readonly Check[], names: readonly string[]): Check[] {
  return names.map((name) => checks.find((check) => check.name === name) ?? unknownCheck(name, checks))
}

function unknownCheck(name: string, checks: readonly Check[]): never {
  const known = checks.map((check) => check.name).join(", ")
  throw new QueryveilError("unknown-name", `There is no check called ${name}. Checks: ${known}.`, { flag: "--only" })
}

function checksTable(checks: readonly Check[]) {
  return tableOf(
    ["state", "check", "promise", "found"],
    checks.map(({ state, name, promise, value, bound, row, detail, needs }) => {
      const found = [
        value === undefined ? "" : bound === undefined ? `${value}` : `${value} (bound ${bound})`,
        row === undefined ? "" : `row ${row}`,
        detail ?? "",
        needs === undefined ? "" : `needs --${needs}`,
      ]
      return [state, name, promise, found.filter((part) => part !== "").join(", ")]
    }),
  )
}
