import type { Command } from "commander"
import { Type } from "#typebox"
import { prepareDemo } from "../../../app/project/demo-project.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import { openProject } from "../../../project/open-project.ts"
import { urlOf } from "../../../stream/address.ts"
import { defineCommand } from "../../define-command.ts"
import type { Given } from "../../flags.ts"
import type { Session } from "../../session.ts"
import { ended, openBrowser } from "../personal/serve.ts"
import { refuseCommand, signCommand } from "./decide.ts"
import { handOutCommand } from "./hand-out.ts"
import { registerCommand } from "./register.ts"

const studioFlags = Type.Object({
  project: Type.Optional(
    Type.String({
      placeholder: "dir",
      description: "keep the work in this private folder (default studio-demo with --demo)",
    }),
  ),
  demo: Type.Boolean({ default: false, description: "make a project on a synthetic log, and open it" }),
  port: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 7779,
    description: "listen on this port of 127.0.0.1; 0: any free port",
  }),
  open: Type.Boolean({ description: "open the page in the browser (default on a terminal)" }),
  noOpen: Type.Boolean({ description: "do not open the browser" }),
})

/**
 * `studio --project DIR [FOLDER…]`, and `studio register | sign | refuse | hand-out`. A folder with one of these names
 * must be given as `./sign`.
 */
export function studioCommand(): Command {
  const command = defineCommand({
    name: "studio",
    summary: "do a publisher's whole job on a page: from a log to a signed release",
    argument: { syntax: "[folders...]", description: "folders from which files of the log may be chosen" },
    flags: studioFlags,
    help: [
      "The page answers on 127.0.0.1 only and needs the token of the printed address.",
      "SIGINT or SIGTERM ends it; the next start continues. See docs/studio.md.",
    ].join(" "),
    run: serveStudio,
  })
  // Flags after the name of a subcommand belong to that subcommand.
  return command
    .enablePositionalOptions()
    .addCommand(registerCommand())
    .addCommand(signCommand())
    .addCommand(refuseCommand())
    .addCommand(handOutCommand())
}

async function serveStudio(session: Session, flags: Given<typeof studioFlags>, folders: string[]): Promise<number> {
  const isDemo = flags.demo === true
  const root = flags.project ?? (isDemo ? "studio-demo" : undefined)
  if (root === undefined)
    throw new QueryveilError("usage", "Say where the work is kept: --project DIR. Or try --demo.", {
      flag: "--project",
    })
  const project = isDemo ? await prepareDemo(root, session.context) : await openProject(root, { folders })
  try {
    if (project.settings.folders.length === 0)
      session.warn("No folder was named, so no file can be chosen. Name the folder of the log after the project.")
    const [{ openStudio }, { writeToken }] = await Promise.all([
      import("../../../server/studio/studio-server.ts"), // slow to load
      import("../../../server/frame/tokens.ts"),
    ])
    const token = await writeToken(project.paths.token)
    const server = await openStudio(project, {
      ...{ port: flags.port ?? 7779, token, demo: isDemo },
      warn: (text) => session.warn(text),
    })
    const url = `${urlOf(server.address)}/#token=${token}`
    session.answer("studio", { url, project: root, folders: project.settings.folders })
    session.say(url)
    if (flags.open ?? process.stdout.isTTY) openBrowser(`${urlOf(server.address)}/#code=${server.code}`)
    await Promise.race([ended(session.context.signal), server.removed])
    await server.close()
  } finally {
    await project.close()
  }
  session.note("The project is closed. Start the studio again to continue.")
  return 0
}
