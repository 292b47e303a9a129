import type { Command } from "commander"
import { Type } from "#typebox"
import { pickOptions } from "../../../app/options.ts"
import { type Decided, decisionOptions, refuseRelease, signRelease } from "../../../app/project/decide-release.ts"
import { defineCommand } from "../../define-command.ts"
import { projectOption, releaseName, withProject } from "./with-project.ts"

/** `studio sign NAME --project DIR --name NAME --reason TEXT --accept all` */
export function signCommand(): Command {
  return defineCommand({
    name: "sign",
    summary: "record that a person signs a release, next to it and in the project's record",
    argument: releaseName,
    flags: Type.Object({ ...projectOption.properties, ...decisionOptions.properties }),
    help: [
      "Read the first page of the release's report before you sign.",
      "Every point that its promise does not cover must be accepted: --accept all, or their numbers.",
    ].join(" "),
    async run(session, { project: folder = "", ...flags }, [name = ""]) {
      const given = pickOptions(decisionOptions, flags)
      const decided = await withProject(folder, (project) => signRelease(project, name, given, session.context))
      session.answer("studio-decision", decided)
      session.say(`${sayDecision(decided)}\n${decided.facts.note}`)
      return 0
    },
  })
}

const { accept: _, ...reasons } = decisionOptions.properties

/** `studio refuse NAME --project DIR --name NAME --reason TEXT` */
export function refuseCommand(): Command {
  return defineCommand({
    name: "refuse",
    summary: "record that a person refuses to publish a release",
    argument: releaseName,
    flags: Type.Object({ ...projectOption.properties, ...reasons }),
    async run(session, { project: folder = "", ...flags }, [name = ""]) {
      const given = pickOptions(decisionOptions, flags)
      const decided = await withProject(folder, (project) => refuseRelease(project, name, given, session.context))
      session.answer("studio-decision", decided)
      session.say(`${sayDecision(decided)}\n${decided.facts.note}`)
      return 0
    },
  })
}

const sayDecision = ({ release, decision, number, facts }: Decided) =>
  `${release}: ${decision} by ${facts.name} on ${facts.date}. Entry ${number} of the project's record.`
