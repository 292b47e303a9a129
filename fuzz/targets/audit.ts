import { openAudit } from "#dist/release/read-audit.js"
import { auditFile } from "#dist/release/write-release.js"
import { scratchFolder, writeScratch } from "../support/scratch-file.ts"
import { ensure, type FuzzTarget } from "../target.ts"

const columns = ["row", "query_row", "user_row"]

/** The private side tables of a release. An input is the folder's description, a blank line, and a table. */
export const target: FuzzTarget = {
  covers: ["release/read-audit"],
  words: [
    '"release":"a"',
    '"files":["trail.tsv"]',
    '"places":{',
    "row\tquery_row\tuser_row\n",
    "1\t2\t3\n",
    "null",
    "\n\n",
  ],
  seeds: () => [
    '{"release":"a","files":["trail.tsv"],"places":{"table":"/x"}}\n\nrow\tquery_row\tuser_row\n1\t1\t2\n2\t\t3\n',
  ],
  check: async (input) => {
    const gap = Buffer.from(input).indexOf("\n\n")
    writeScratch(auditFile, gap < 0 ? input : input.subarray(0, gap))
    writeScratch("trail.tsv", gap < 0 ? input : input.subarray(gap + 2))
    const audit = await openAudit(scratchFolder())
    for (const place of Object.values(audit.places)) ensure(typeof place === "string", "places are strings")
    if (!audit.has("trail")) return
    for await (const row of audit.rows("trail", columns)) ensure(row.length === columns.length, "rows have all columns")
  },
}
