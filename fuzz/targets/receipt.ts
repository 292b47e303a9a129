import { basename, join } from "node:path"
import { emptyLog } from "#dist/log/assemble-log.js"
import { readReceipt, receiptPath, relateLog } from "#dist/release/receipt.js"
import { scratchFolder, writeScratch } from "../support/scratch-file.ts"
import { ensure, type FuzzTarget } from "../target.ts"

const intake = {
  format: "aol",
  unit: "user" as const,
  read: [],
  files: [{ path: "log", bytes: 1, sha256: "00", linesBefore: 0, lines: 1 }],
  lines: 1,
  rejected: {},
  rejects: { line: new Uint32Array(0), reason: new Uint8Array(0) },
  collapsed: 0,
  warnings: [],
  doubts: [],
  cached: false,
}

/** The receipt next to a release: an unreadable receipt gives no information, and is not an error. */
export const target: FuzzTarget = {
  covers: ["release/receipt"],
  words: ['"input":{', '"files":[', '"sha256":"00"', '"rows":0', "null", "{}", "[]"],
  seeds: () => [
    JSON.stringify({
      queryveil: 1,
      release: "0",
      input: {
        files: [{ path: "log", bytes: 1, sha256: "00" }],
        rows: 0,
        events: 0,
        users: 0,
        queries: 0,
        urls: 0,
      },
    }),
    '{"input":{"files":[{"sha256":"01"}],"rows":2}}',
  ],
  check: async (input) => {
    const folder = join(scratchFolder(), "release")
    writeScratch(basename(receiptPath(folder)), input)
    const receipt = await readReceipt(folder)
    if (receipt === undefined) return
    const relation = relateLog(receipt, { log: emptyLog(), intake })
    ensure(["same", "alike", "other"].includes(relation), "the relation of a receipt to a log is known")
  },
}
