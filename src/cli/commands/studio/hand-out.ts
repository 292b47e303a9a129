import type { Command } from "commander"
import { Type } from "#typebox"
import { handOut } from "../../../app/project/hand-out.ts"
import { defineCommand } from "../../define-command.ts"
import { projectOption, releaseName, withProject } from "./with-project.ts"

/** `studio hand-out NAME --project DIR -o DIR2` */
export function handOutCommand(): Command {
  return defineCommand({
    name: "hand-out",
    summary: "copy a signed release, and nothing private, to an empty folder",
    argument: releaseName,
    flags: Type.Object({
      ...projectOption.properties,
      output: Type.String({
        short: "o",
        placeholder: "dir",
        description: "copy the release to this empty or new folder",
      }),
    }),
    async run(session, { project: folder = "", output = "" }, [name = ""]) {
      const copied = await withProject(folder, (project) => handOut(project, name, output, session.context))
      session.answer("studio-hand-out", copied)
      session.say(`${output}: ${copied.files.length} data files and release.json, as the manifest names them.`)
      return 0
    },
  })
}
