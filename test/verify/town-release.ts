import { beforeAll } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { readRelease } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import type { Check } from "#dist/verify/verifier.js"
import { aolText, smallTown } from "../support/aol-log.ts"
import { publish } from "../support/publish.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { type Tampering, tamper } from "../support/tamper.ts"

const kinds = {
  sessions: [{}, {}],
  users: [{ users: "pseudonym" }, {}],
  exact: [{ time: "exact" }, {}],
  csv: [{}, { to: "csv" }],
  jsonl: [{}, { to: "jsonl" }],
  parquet: [{}, { to: "parquet" }],
} as const

export type Kind = keyof typeof kinds

/** Releases of the small town with k = 3, made once for a test file, and what verify says of changed copies of them. */
export function townReleases() {
  const { at, fresh, write } = scratchFolder()
  const original = write(aolText(smallTown()))
  const context = createContext({ workers: 1 })

  beforeAll(async () => {
    for (const [kind, [options, writing]] of Object.entries(kinds)) await publish(original, at(kind), options, writing)
  })

  const check = async (folder: string): Promise<Check[]> => {
    const { log } = await readLog(original, {}, context)
    return verify({ release: await readRelease(folder), log }, context)
  }
  const failing = async (folder: string) =>
    (await check(folder)).filter(({ state }) => state === "failed").map(({ name }) => name)
  const change = (how: (release: Tampering) => void, kind: Kind = "sessions") => tamper(at(kind), fresh(), how)

  return {
    original,
    at,
    fresh,
    check,
    /** Names of the checks that fail on a folder. */
    failing,
    /** A changed copy of a release. */
    change,
    /** Names of the checks that fail on a changed copy of a release. */
    failures: (how: (release: Tampering) => void, kind: Kind = "sessions") => failing(change(how, kind)),
  }
}
