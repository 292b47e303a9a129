import { createHash } from "node:crypto"
import { join } from "node:path"
import { Command, Option } from "commander"
import { Type } from "typebox"
import { Value } from "typebox/value"
import type { Intake } from "../../log/intake.ts"
import { readTruth, type Truth } from "../../release/truth.ts"
import { studies } from "../../study/registry.ts"
import { runStudy } from "../../study/run-study.ts"
import type { Study } from "../../study/study.ts"
import { addFlags } from "../flags.ts"
import { addReadFlags, finish } from "../session.ts"

const seedOption = Type.Object({
  seed: Type.Integer({ default: 1, minimum: 0, description: "seed: the same seed draws the same numbers" }),
})

/** `study NAME LOG -o DIR`: one subcommand for each study. */
export function studyCommand(): Command {
  const command = new Command("study").description("run a grid of methods and parameters with probes, and draw it")
  for (const study of studies) command.addCommand(oneStudy(study))
  return command
}

function oneStudy(study: Study): Command {
  const command = new Command(study.name)
    .description(study.summary)
    .argument("<log...>", "search log: files, globs, or - for the standard input")
    .addOption(new Option("-o, --output <dir>", "folder of the study; points that are in it are not computed again"))
    .addOption(new Option("--truth <dir>", "what was planted in a made-up log (secrets.tsv)"))
  addFlags(command, study.options)
  addFlags(command, seedOption)
  addReadFlags(command)
  return finish(command, async (session, paths) => {
    const folder = session.required("output")
    const truthFolder = session.flag("truth")
    const truth = truthFolder === undefined ? undefined : await readTruth(truthFolder)
    const { log, intake } = await session.readLog(paths)
    const { seed } = Value.Parse(seedOption, Value.Default(seedOption, session.values(seedOption)))
    const options = Value.Parse(study.options, Value.Default(study.options, session.values(study.options)))
    const subject = { log, ...(truth === undefined ? {} : { truth }) }
    const input = fingerprintInput(intake, truth)
    const { computed, reused } = await runStudy(folder, { study, options, seed, input, subject }, session.context)
    const index = join(folder, "index.html")
    session.answer({ folder, index, computed, reused })
    session.say(
      `${computed} points computed, ${reused} taken from an earlier run.\n${index} (private: it describes the log)`,
    )
    return 0
  })
}

function fingerprintInput({ format, files }: Intake, truth: Truth | undefined): string {
  const parts = [format, files.map(({ sha256 }) => sha256), truth?.secrets ?? null]
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex")
}
