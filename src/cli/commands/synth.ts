import type { Command } from "commander"
import { Type } from "#typebox"
import { outputOption } from "../../app/options.ts"
import { tableOf } from "../../kernels/table.ts"
import { writeSynth } from "../../release/write-synth.ts"
import { synthOptions } from "../../synth/options.ts"
import { defineCommand } from "../define-command.ts"
import { required } from "../flags.ts"
import { textTable } from "../print.ts"

/** `synth -o FILE`: writes a log without any real person. */
export function synthCommand(): Command {
  return defineCommand({
    name: "synth",
    summary: "make a synthetic search log of any size, in the shape of AOL's",
    flags: Type.Object({
      output: outputOption("file", "write the log to this file, gzipped if it ends with .gz; - for standard output"),
      ...synthOptions.properties,
      truth: Type.Optional(
        Type.String({
          placeholder: "dir",
          description: "write the planted secrets and the topics of queries: secrets.tsv and topics.tsv",
        }),
      ),
      force: Type.Boolean({ default: false, description: "replace existing files" }),
    }),
    async run(session, flags) {
      const { output, ...options } = flags
      const file = required(output, "output")
      const target = file === "-" ? writeToStdout : file
      const begun = session.context.now()
      const made = await writeSynth(target, pickOptions(options), session.context)
      if (file === "-") return 0
      const seconds = (session.context.now() - begun) / 1000
      const truth = options.truth === undefined ? {} : { truth: options.truth }
      session.answer("synth", { file, ...truth, ...made, seconds })
      const rows = [
        ["rows", made.rows],
        ["users", made.users],
        ["rows with a planted secret", made.secretRows],
      ]
      session.say(textTable(tableOf([file, ""], rows)))
      if (options.truth !== undefined) session.say(`\nTruth: ${options.truth}/secrets.tsv and topics.tsv`)
      return 0
    },
  })
}

interface SynthFlags {
  rows?: number
  users?: number
  seed?: number
  follow?: number
  truth?: string
  force?: boolean
}

/** The flags that the writer knows. */
function pickOptions({ rows, users, seed, follow, truth, force }: SynthFlags) {
  return {
    ...(rows !== undefined && { rows }),
    ...(users !== undefined && { users }),
    ...(seed !== undefined && { seed }),
    ...(follow !== undefined && { follow }),
    ...(truth !== undefined && { truth }),
    ...(force !== undefined && { force }),
  }
}

const writeToStdout = (bytes: Uint8Array) =>
  new Promise<void>((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
