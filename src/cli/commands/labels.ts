import type { Command } from "commander"
import { pickOptions } from "../../app/options.ts"
import { labelOptions, sampleLabels } from "../../app/sample-labels.ts"
import { logArgument } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { required } from "../flags.ts"

/** `labels LOG -o FILE`: draws queries for people to judge, in the format that `--labels` reads. */
export function labelsCommand(): Command {
  return defineCommand({
    name: "labels",
    summary: "draw queries for people to judge as sensitive or safe (private)",
    argument: logArgument,
    flags: labelOptions,
    async run(session, flags, paths) {
      required(flags.output, "output")
      const sampled = await sampleLabels(paths, pickOptions(labelOptions, flags), session.context)
      session.answer("labels", sampled)
      session.say(`${sampled.file}: ${sampled.queries} queries (private: they are queries of the log)`)
      session.say(
        "Write sensitive or safe after each tab. Lines without a word are skipped. Give the file to --labels.",
      )
      return 0
    },
  })
}
