import { trainClassifier, trainLogOptions } from "../../../app/classify-log.ts"
import { pickOptions } from "../../../app/options.ts"
import { logArgument } from "../../common-flags.ts"
import { defineCommand } from "../../define-command.ts"
import { required } from "../../flags.ts"

/** `classify train LOG -o FILE` */
export function trainCommand() {
  return defineCommand({
    name: "train",
    summary: "learn from a log's clicks and sessions which topics its words mean",
    argument: logArgument,
    flags: trainLogOptions,
    async run(session, flags, paths) {
      required(flags.output, "output")
      const trained = await trainClassifier(paths, pickOptions(trainLogOptions, flags), session.context)
      session.answer("classify-train", trained)
      session.say(
        `${trained.file}: ${trained.words.toLocaleString("en")} words that lead to ${trained.topics.toLocaleString("en")} topics (private: it describes the log)`,
      )
      return 0
    },
  })
}
