import { basename, join } from "node:path"
import { emptyLog } from "#dist/log/assemble-log.js"
import { isOfOtherLog, receiptPath } from "#dist/release/receipt.js"
import { scratchFolder, writeScratch } from "../support/scratch-file.ts"
import { type FuzzTarget, promise } from "../target.ts"

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

/** The receipt beside a release: what cannot be read says nothing, and is no error. */
export const target: FuzzTarget = {
  covers: ["release/receipt"],
  words: ['"input":{', '"files":[', '"sha256":"00"', '"rows":0', "null", "{}", "[]"],
  seeds: () => [
    '{"queryveil":1,"input":{"files":[{"path":"log","sha256":"00"}],"rows":1,"events":1,"users":1,"queries":1,"urls":0}}',
    '{"input":{"files":[{"sha256":"01"}],"rows":2}}',
  ],
  check: async (input) => {
    const folder = join(scratchFolder(), "release")
    writeScratch(basename(receiptPath(folder)), input)
    const isOther = await isOfOtherLog(folder, { log: emptyLog(), intake })
    promise(typeof isOther === "boolean", "a receipt is of another log or it is not")
  },
}
