import { createHash } from "node:crypto"
import { join } from "node:path"
import { Command } from "commander"
import { Type } from "typebox"
import { Value } from "typebox/value"
import type { Intake } from "../../log/intake.ts"
import type { Truth } from "../../release/truth.ts"
import { studies } from "../../study/registry.ts"
import { runStudy } from "../../study/run-study.ts"
import type { Study } from "../../study/study.ts"
import { logArgument, outputFlag, readFlags, truthFlag } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { type Given, required } from "../flags.ts"

const studyFlags = Type.Object({
  output: outputFlag("dir", "folder of the study; points that are in it are not computed again"),
  truth: truthFlag,
  seed: Type.Integer({ default: 1, minimum: 0, description: "the same seed draws the same numbers" }),
  ...readFlags.properties,
})

/** `study NAME LOG -o DIR`: one subcommand for each study. */
export function studyCommand(): Command {
  const command = new Command("study").description("run a grid of methods and parameters with probes, and draw it")
  for (const study of studies) command.addCommand(oneStudy(study))
  return command
}

function oneStudy(study: Study): Command {
  return defineCommand({
    name: study.name,
    summary: study.summary,
    argument: logArgument,
    flags: Type.Object({ ...study.options.properties, ...studyFlags.properties }),
    async run(session, given, paths) {
      const flags = given as Given<typeof studyFlags>
      const folder = required(flags.output, "output")
      const options = Value.Parse(study.options, Value.Default(study.options, Value.Clean(study.options, { ...given })))
      const { truth } = await session.readTruth(flags.truth)
      const { log, intake } = await session.readLog(paths, flags)
      const run = {
        study,
        options,
        seed: flags.seed ?? 1,
        input: fingerprintInput(intake, truth),
        subject: { log, ...(truth && { truth }) },
      }
      const { computed, reused } = await runStudy(folder, run, session.context)
      const index = join(folder, "index.html")
      session.answer({ folder, index, computed, reused })
      session.say(`${computed} points computed, ${reused} taken from an earlier run.`)
      session.say(`${index} (private: it describes the log)`)
      return 0
    },
  })
}

function fingerprintInput({ format, files }: Intake, truth: Truth | undefined): string {
  const parts = [format, files.map(({ sha256 }) => sha256), truth?.secrets ?? null]
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex")
}
