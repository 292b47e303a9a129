import { join } from "node:path"
import { findMethod } from "../../release/anonymize.ts"
import { flagWords, readWords, shellCommand } from "../shell-words.ts"
import { type ProjectView, readingOf } from "./jobs/project-view.ts"
import type { StudioState } from "./studio-schema.ts"

/** The command lines that do what each screen does, to be copied. NAME stands for the name of a release. */
export function studioCommands(view: ProjectView, hasExempt: boolean): StudioState["commands"] {
  const { paths, settings } = view
  const { root } = paths
  const release = join(paths.releases, "NAME")
  const audit = join(paths.audits, "NAME")
  const command = (...words: string[]) => shellCommand(["queryveil", ...words])
  const register = command("studio", "register", "--project", root)
  const decided = ["--project", root, "--name", "YOUR NAME", "--reason", "WHY"]
  const lasting = {
    sign: [
      command("studio", "sign", "NAME", ...decided, "--accept", "all"),
      command("studio", "refuse", "NAME", ...decided),
    ],
    register: [register, command("studio", "hand-out", "NAME", "--project", root, "-o", "FOLDER")],
  }
  if (settings.log === undefined)
    return { log: [], exposure: [], purpose: [], explore: [], preview: [], check: [], ...lasting }
  const { files, reading } = readingOf(view)
  const log = [...files, ...readWords(reading), "--cache", paths.cache]
  const { use = "suggestions", maxRisk = 0.05 } = settings.purpose ?? {}
  const choice = settings.choice && choiceWords(view, hasExempt)
  const against = ["--against", ...log, "--audit", audit]
  return {
    log: [command("inspect", ...log)],
    exposure: [command("inspect", ...log, "--html", "inspection.html")],
    purpose: [],
    explore: [
      command("advise", ...log, ...flagWords({ use, maxRisk })),
      command("study", "frontier", ...log, "--coarse", ...flagWords({ use }), "-o", "frontier"),
    ],
    preview: choice === undefined ? [] : [command("explain", choice[0] ?? "", ...log, "QUERY", ...choice.slice(1))],
    check:
      choice === undefined
        ? []
        : [
            command(
              "anonymize",
              choice[0] ?? "",
              ...log,
              ...choice.slice(1),
              ...payWords(view),
              "-o",
              release,
              "--audit",
              audit,
            ),
            command("verify", release, ...against),
            command("report", release, ...against, ...flagWords({ maxRisk })),
          ],
    ...lasting,
  }
}

/** The method, then its flags. */
function choiceWords({ paths, settings }: ProjectView, hasExempt: boolean): string[] {
  const { method = "", parameters = {} } = settings.choice ?? {}
  return [method, ...flagWords(parameters), ...(hasExempt ? flagWords({ scrubExempt: paths.exempt }) : [])]
}

function payWords({ paths, settings }: ProjectView): string[] {
  const { properties } = findMethod(settings.choice?.method ?? "equality").options
  if (!("epsilon" in properties)) return flagWords({ maxRisk: settings.purpose?.maxRisk })
  const { epsilon, delta } = settings.budget ?? {}
  return flagWords({ ledger: paths.ledger, budget: epsilon, deltaBudget: delta, chosenOnData: true })
}
