import { mkdir, readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Command } from "commander"
import { Type } from "#typebox"
import { forceOption, outputOption } from "../../app/options.ts"
import { reserveFile } from "../../files/reserve.ts"
import { writeError } from "../../files/write-error.ts"
import { writeFileWhole } from "../../files/write-file.ts"
import { defineCommand } from "../define-command.ts"

const source = fileURLToPath(new URL("../../../examples/samples/", import.meta.url))

/** `samples -o DIR`: the sample files of the package. */
export function samplesCommand(): Command {
  return defineCommand({
    name: "samples",
    summary: "copy small sample files out of the package: a search log, and inputs of other commands",
    flags: Type.Object({
      output: outputOption("dir", "write the files to this folder (default samples)"),
      force: forceOption("file"),
    }),
    async run(session, { output: folder = "samples", force = false }) {
      const files = (await readdir(source)).sort()
      const targets = files.map((name) => join(folder, name))
      // Check all targets before writing any: half of the files would be useless.
      for (const target of targets) await reserveFile(target, { force })
      await mkdir(folder, { recursive: true }).catch((error: unknown) => {
        throw writeError(folder, error)
      })
      for (const name of files)
        await writeFileWhole(join(folder, name), await readFile(join(source, name)), { mode: 0o644, replace: force })
      session.answer("samples", { folder, files })
      session.say(targets.join("\n"))
      return 0
    },
  })
}
