import { trainClassifier, trainLogOptions } from "../../../app/classify-log.ts"
import { pickOptions } from "../../../app/options.ts"
import { logArgument } from "../../common-flags.ts"
import { defineCommand } from "../../define-command.ts"
import { required } from "../../flags.ts"

/** `classify train LOG -o FILE` */
export function trainCommand() {
  return defineCommand({
    name: "train",
    summary: "learn which topics the words of a log mean, from its clicks and sessions",
    argument: logArgument,
    flags: trainLogOptions,
    async run(session, flags, paths) {
      required(flags.output, "output")
      const trained = await trainClassifier(paths, pickOptions(trainLogOptions, flags), session.context)
      session.answer("classify-train", trained)
      const words = trained.words.toLocaleString("en")
      const topics = trained.topics.toLocaleString("en")
      session.say(`${trained.file}: ${words} words that lead to ${topics} topics (private: it describes the log)`)
      return 0
    },
  })
}
