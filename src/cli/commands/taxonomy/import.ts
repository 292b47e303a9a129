import { Type } from "#typebox"
import { outputOption } from "../../../app/options.ts"
import { reserveFile } from "../../../files/reserve.ts"
import { writeFileWhole } from "../../../files/write-file.ts"
import { importFormats } from "../../../taxonomy/load/formats.ts"
import { importTaxonomy } from "../../../taxonomy/load/import-taxonomy.ts"
import { taxonomyStats } from "../../../taxonomy/stats.ts"
import { taxonomyFrom } from "../../../taxonomy/taxonomy.ts"
import { encodeTaxonomy } from "../../../taxonomy/taxonomy-file.ts"
import { defineCommand } from "../../define-command.ts"
import { required } from "../../flags.ts"

/** `taxonomy import FILE… -o FILE.taxonomy` */
export function importCommand() {
  return defineCommand({
    name: "import",
    summary: "read a taxonomy and keep it in one compact file",
    argument: {
      syntax: "<files...>",
      description: "files of the taxonomy, plain or gzip; structure and content of an ODP dump together",
    },
    flags: Type.Object({
      output: outputOption("file", "write this file, for --taxonomy"),
      format: Type.Optional(
        Type.Enum([...importFormats], {
          description:
            "read tsv (path, support, text), odp (structure.rdf.u8, content.rdf.u8) or iab (default detected)",
        }),
      ),
      lenient: Type.Boolean({
        description: "repair missing parents, duplicate topics and bytes that are not UTF-8",
      }),
      force: Type.Boolean({ description: "replace an existing file" }),
    }),
    async run(session, { output, format, lenient, force = false }, files) {
      const target = required(output, "output")
      await reserveFile(target, { force })
      const options = { lenient: lenient ?? false, ...(format === undefined ? {} : { format }) }
      const imported = await importTaxonomy(files, options, session.context)
      const { topics, levels } = taxonomyStats(taxonomyFrom(imported.columns))
      const pages = imported.columns.pages?.topic.length ?? 0
      await writeFileWhole(target, Buffer.concat(encodeTaxonomy(imported.columns)), { mode: 0o644, replace: force })
      session.answer("taxonomy-import", {
        file: target,
        format: imported.format,
        topics,
        levels: levels.length,
        pages,
        repairs: imported.repairs,
      })
      const found = pages === 0 ? "" : `, ${pages.toLocaleString("en")} pages`
      session.say(
        `${target}: ${topics.toLocaleString("en")} topics on ${levels.length} levels${found} (${imported.format}).`,
      )
      const repaired = Object.entries(imported.repairs).filter(([, count]) => count > 0)
      if (repaired.length > 0)
        session.warn(`repaired: ${repaired.map(([what, count]) => `${what} ${count}`).join(", ")}`)
      return 0
    },
  })
}
