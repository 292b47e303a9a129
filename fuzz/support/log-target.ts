import { isDeepStrictEqual } from "node:util"
import { civilTimeWriter } from "#dist/kernels/civil-time.js"
import { LogAssembler } from "#dist/log/assemble-log.js"
import { countBytes } from "#dist/log/blocks.js"
import type { FormatChoice } from "#dist/log/formats/detect-format.js"
import { BlockParser } from "#dist/log/formats/parse-block.js"
import type { LinePlan } from "#dist/log/formats/parsed-block.js"
import { readBlock } from "#dist/log/formats/read-block.js"
import { readSource } from "#dist/log/read-source.js"
import { type SearchLog, units, unknownRank } from "#dist/log/search-log.js"
import { ensure, type FuzzTarget } from "../target.ts"
import { writeScratch } from "./scratch-file.ts"

const seed = 7
const tab = 9
const slowly = new BlockParser({ seed, plain: false })

/**
 * A target for a format of logs: the whole path from a file to a log, on one thread. What was read can be written and
 * read again.
 */
export function logTarget(
  choice: Partial<FormatChoice>,
  { words, seeds }: { words: readonly string[]; seeds: readonly (string | Uint8Array)[] },
): FuzzTarget {
  return {
    covers: ["log/", "text/normalise", "kernels/civil-time"],
    words: [
      "\t",
      ",",
      ";",
      "|",
      '"',
      "\n",
      "\r\n",
      "2020-01-02 03:04:05",
      "2020-01-02T03:04:05Z",
      "1577934245",
      ...words,
    ],
    seeds: () => seeds,
    check: async (input) => {
      const path = writeScratch("log", input)
      const unit = units[input.length % units.length]
      const given = {
        format: "auto" as const,
        columns: undefined,
        jsonPath: undefined,
        encoding: undefined,
        ...choice,
        unit,
      }
      const assembler = new LogAssembler({ seed, bytes: input.length, unit })
      let lines = 0
      for await (const block of readSource({ path, size: input.length }, countBytes(), given)) {
        const own = { ...block, bytes: block.bytes.slice(), seed }
        const parsed = readBlock({ ...block, seed })
        if (block.plan.conversion === undefined)
          ensure(isDeepStrictEqual(parsed, slowly.parse(own)), "plain lines are read as the parser reads them")
        lines += parsed.lines
        for (const line of [...parsed.line, ...parsed.rejectLine])
          ensure(line >= 1 && line <= parsed.lines, "the line of a row is in its block")
        assembler.add(parsed, { collapseSeconds: block.plan.collapseSeconds })
      }
      const { log } = assembler.finish()
      if (choice.format !== undefined) ensure(lines <= input.length + 1, "a file has no more lines than bytes")
      checkLog(log)
    },
  }
}

const parser = new BlockParser({ seed })
const again: LinePlan = {
  format: "aol",
  delimiter: tab,
  columns: { user: 0, query: 1, time: 2, rank: 3, url: 4 },
  minFields: 5,
  maxFields: 5,
  headerLines: 0,
  verbatim: true,
}

/** Checks that ids are within their dictionaries, and that rows written as lines are read as the same rows. */
function checkLog(log: SearchLog): void {
  const lines: Buffer[] = []
  const time = new Uint8Array(19)
  const writeTime = civilTimeWriter()
  for (let row = 0; row < log.rows; row++) {
    ensure(log.user[row] >= 0 && log.user[row] < log.users.size, "every row has a user")
    ensure(log.query[row] >= 0 && log.query[row] < log.queries.size, "every row has a query")
    ensure(log.url[row] >= -1 && log.url[row] < log.urls.size, "every click has a url")
    writeTime(time, 0, log.time[row])
    const rank = log.rank[row] === unknownRank ? "" : String(log.rank[row])
    const url = log.url[row] < 0 ? Buffer.alloc(0) : log.urls.bytes(log.url[row])
    const cells = [log.users.bytes(log.user[row]), log.queries.bytes(log.query[row]), time, Buffer.from(rank), url]
    lines.push(...cells.flatMap((cell, i) => [Buffer.from(cell), Buffer.from(i < 4 ? "\t" : "\n")]))
  }
  const text = Buffer.concat([...lines, Buffer.alloc(1)])
  const length = text.length - 1
  const read = parser.parse({ bytes: new Uint8Array(text), length, plan: again, skipLines: 0, seed })
  ensure(read.rejectLine.length === 0, `a row that was read can be read again (${read.rejectReason[0]})`)
  ensure(read.line.length === log.rows, "as many rows are read as were written")
  ensure(
    read.time.every((seconds, row) => seconds === log.time[row]),
    "times are read as they were written",
  )
  ensure(
    read.rank.every((rank, row) => rank === log.rank[row]),
    "ranks are read as they were written",
  )
}
