import { Type } from "#typebox"
import { reserveFile } from "../../../files/reserve.ts"
import { writeChunksWhole } from "../../../files/write-file.ts"
import { refusePrivate } from "../../../release/write-release.ts"
import { encodeLexicon } from "../../../taxonomy/classify/lexicon-file.ts"
import { trainLexicon, trainOptions } from "../../../taxonomy/classify/train/train-lexicon.ts"
import { openTaxonomy, taxonomyOption } from "../../../taxonomy/open-taxonomy.ts"
import { logArgument, outputFlag, readFlags } from "../../common-flags.ts"
import { defineCommand } from "../../define-command.ts"
import { required } from "../../flags.ts"

/** `classify train LOG -o FILE` */
export function trainCommand() {
  return defineCommand({
    name: "train",
    summary: "learn from a log's clicks and sessions which topics its words lead to",
    argument: logArgument,
    flags: Type.Object({
      output: outputFlag("file", "file for the lexicon, for --classifier (private)"),
      ...taxonomyOption.properties,
      ...trainOptions.properties,
      force: Type.Boolean({ default: false, description: "replace a file that is already there" }),
      ...readFlags.properties,
    }),
    async run(session, { output, taxonomy: choice, minUsers, rounds, force = false, ...read }, paths) {
      const { context } = session
      const target = required(output, "output")
      await refusePrivate(target)
      await reserveFile(target, { force })
      const taxonomy = await openTaxonomy(choice, read.cache === undefined ? {} : { cache: read.cache }, context)
      const { log } = await session.readLog(paths, read)
      const options = { ...(minUsers !== undefined && { minUsers }), ...(rounds !== undefined && { rounds }) }
      const lexicon = await trainLexicon(log, taxonomy, options, context)
      await writeChunksWhole(target, encodeLexicon(lexicon, taxonomy), { mode: 0o600, replace: force })
      const words = lexicon.wordOffsets.length - 1
      session.answer({ file: target, words, topics: lexicon.topics.length })
      session.say(
        `${target}: ${words.toLocaleString("en")} words that lead to ${lexicon.topics.length.toLocaleString("en")} topics (private: it describes the log)`,
      )
      return 0
    },
  })
}
