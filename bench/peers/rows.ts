import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { logPath, makeLog } from "../data.ts"
import { thisTree } from "../other-tree.ts"
import { type Comparison, sameNumbers, threads } from "./comparison.ts"
import { askPeer, peersFolder, scriptCommand } from "./python.ts"

const count = 10_000_000
const log = logPath(count)
const ours = join(peersFolder, "rows-queryveil")
const written = (name: string) => join(peersFolder, `rows-${name}.tsv`)

/** A whole process, from the log as a file to the rows kept as a file. */
const measure = (command: readonly string[], path: string) =>
  askPeer("whole_process.py", { command, count, written: path })

/** `queryveil anonymize equality`, with these flags. */
function anonymize(...flags: string[]) {
  const program = [process.execPath, join(thisTree, "dist/cli/queryveil.cjs"), "anonymize", "equality", log]
  const usual = ["-k", "10", "-o", ours, "--force", "--quiet", "--workers", `${threads}`]
  return measure([...program, ...usual, ...flags], join(ours, "log.tsv"))
}

export const rows: Comparison = {
  name: "rows",
  work: "read 10 M rows, keep those of queries of 10 users, write them",
  prepare: async () => {
    await makeLog(count)
    await mkdir(peersFolder, { recursive: true })
  },
  contenders: [
    {
      name: "queryveil, nothing else",
      run: () => anonymize("--scrub", "none", "--users", "keep", "--urls", "keep", "--time", "exact"),
    },
    { name: "queryveil, as published", run: async () => ({ ...(await anonymize()), scrubs: 1 }) },
    { name: "Polars", run: () => measure(scriptCommand("rows_polars.py", log, written("polars")), written("polars")) },
    {
      name: "DuckDB",
      run: () => measure(scriptCommand("rows_duckdb.py", log, written("duckdb"), `${threads}`), written("duckdb")),
    },
  ],
  compare: (plain, other) => {
    if (other.scrubs !== 1) return sameNumbers(["queries", "rows", "checksum"])(plain, other)
    const fewer = Number(plain.rows) - Number(other.rows)
    return { value: `${fewer.toLocaleString("en")} rows are withheld for identifiers`, met: fewer >= 0 }
  },
}
