import type { Command } from "commander"
import { Type } from "#typebox"
import { reserveFile } from "../../files/reserve.ts"
import { writeFileWhole } from "../../files/write-file.ts"
import { seededRandom } from "../../kernels/random.ts"
import { usualSeed } from "../../probes/run-probes.ts"
import { drawLabels } from "../../release/draw-labels.ts"
import { refusePrivate } from "../../release/write-release.ts"
import { logArgument, outputFlag, readFlags, seedFlag } from "../common-flags.ts"
import { defineCommand } from "../define-command.ts"
import { required } from "../flags.ts"

const flags = Type.Object({
  output: outputFlag("file", "file for the queries to judge (private: it holds queries of the log)"),
  sample: Type.Integer({ default: 5000, minimum: 1, description: "distinct queries to draw" }),
  seed: seedFlag,
  force: Type.Boolean({ default: false, description: "replace a file that is already there" }),
  ...readFlags.properties,
})

/** `labels LOG -o FILE`: queries for people to judge, in the form that `--labels` reads. */
export function labelsCommand(): Command {
  return defineCommand({
    name: "labels",
    summary: "draw queries for people to judge as sensitive or safe (private)",
    argument: logArgument,
    flags,
    async run(session, given, paths) {
      const { sample = 5000, seed = usualSeed, force = false } = given
      const file = required(given.output, "output")
      await refusePrivate(file)
      await reserveFile(file, { force })
      const { log } = await session.readLog(paths, given)
      const text = drawLabels(log, { sample }, seededRandom(seed))
      await writeFileWhole(file, text, { mode: 0o600, replace: force })
      const queries = text.split("\n").length - 2
      session.answer({ file, queries })
      session.say(
        `${file}: ${queries} queries (private: they are queries of the log)\nWrite sensitive or safe behind each tab; lines without a word are passed over. Then give the file to --labels.`,
      )
      return 0
    },
  })
}
