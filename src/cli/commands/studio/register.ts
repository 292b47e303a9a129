import type { Command } from "commander"
import { listReleases, type Register, type RegisteredRelease } from "../../../app/project/list-releases.ts"
import { tableOf } from "../../../kernels/table.ts"
import { defineCommand } from "../../define-command.ts"
import { textTable } from "../../print.ts"
import { projectOption, withProject } from "./with-project.ts"

/** `studio register --project DIR` */
export function registerCommand(): Command {
  return defineCommand({
    name: "register",
    summary: "list the releases of a project, their signatures, and what was spent",
    flags: projectOption,
    async run(session, { project: folder = "" }) {
      const register = await withProject(folder, listReleases)
      session.answer("studio-register", register)
      session.say(sayRegister(register))
      return 0
    },
  })
}

const overlapWords: Record<Register["overlaps"][number]["why"], string> = {
  "same log": "are of the same log",
  "shared files": "share files of their logs",
  "same time": "are of the same time, so that the same people may be in both",
}

function sayRegister({ releases, overlaps, broken }: Register): string {
  if (releases.length === 0 && broken.length === 0) return "The project has no release yet."
  const table = tableOf(
    ["release", "method", "rows", "decision", "promise kept", "attacks"],
    releases.map((release) => [
      release.name,
      release.method,
      release.rows,
      sayState(release),
      release.summary?.promise.kept ?? "no report",
      release.summary?.attacks.state ?? "no report",
    ]),
  )
  return [
    textTable(table),
    ...overlaps.map(
      ({ releases: [one, other], why }) =>
        `${one} and ${other} ${overlapWords[why]}. Before you hand out both, attack them together (--other).`,
    ),
    ...broken.map(({ why }) => why),
  ].join("\n")
}

function sayState({ state, decision, problem }: RegisteredRelease): string {
  if (problem !== undefined) return `${state}: ${problem}`
  return decision === undefined ? state : `${state} by ${decision.name}, ${decision.date}`
}
