import { QueryveilError } from "#dist/kernels/error.js"
import { hasAolHeader, hasAolRows } from "#dist/log/formats/aol.js"
import { isDelimited, planDelimited, startsWithHeader } from "#dist/log/formats/delimited.js"
import { detectFormat, isArray } from "#dist/log/formats/detect-format.js"
import { sniffText } from "#dist/log/sniff.js"
import { detectLineFormat } from "#dist/stream/inputs/line-format.js"
import { ensure, type FuzzTarget } from "../target.ts"

const options = { path: "log", columns: undefined, jsonPath: undefined, encoding: undefined }

/** Formats, headers and columns that are recognised in the first bytes of a file or a stream. */
export const target: FuzzTarget = {
  covers: ["log/formats/", "log/sniff", "server/inputs/line-format"],
  words: [
    "user",
    "query",
    "time",
    "q",
    "session id",
    "AnonID",
    "rank",
    "url",
    "\t",
    ",",
    ";",
    "|",
    '"',
    "\n",
    "2020-01-02 03:04:05",
  ],
  seeds: () => [
    "user,query,time\nann,red,2020-01-02 03:04:05\n",
    "AnonID\tQuery\tQueryTime\n7\tred\t2020-01-02 03:04:05\n",
    "what;who;when\nred hat;ann;2020-01-02\n",
    "query|q|user|userid|date\na|b|c|d|2020\n",
    "ann,lamp,1577934245\nbob,hat,1577934246\n",
    '{"name":{"a":1},"q":"tea"}\n',
  ],
  check: (input) => {
    hasAolHeader(input)
    hasAolRows(input)
    isDelimited(input)
    startsWithHeader(input)
    isArray(input)
    for (const unit of ["user", "session"] as const) {
      refusable(() => ensure(sniffText(input, "log") <= 3, "a mark has at most 3 bytes"))
      refusable(() => detectFormat(input, { ...options, format: "auto", unit }))
      refusable(() => detectLineFormat(input, { ...options, format: "auto", unit }))
      refusable(() => {
        const { columns, maxFields } = planDelimited(input, { columns: {}, path: "log", unit })
        for (const name of ["user", "query", "time"] as const)
          ensure(columns[name] >= 0 && columns[name] < maxFields, "a needed column is inside the line")
        ensure(new Set([columns.user, columns.query, columns.time]).size === 3, "no column is taken twice")
      })
    }
  },
}

/** Continues after a refusal, so that the following steps are tested too. */
function refusable(step: () => void): void {
  try {
    step()
  } catch (error) {
    if (!(error instanceof QueryveilError)) throw error
  }
}
