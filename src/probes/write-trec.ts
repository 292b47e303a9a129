import { appendFile } from "node:fs/promises"
import { join } from "node:path"
import { reserveFolder } from "../files/reserve.ts"
import { writeFolder } from "../files/write-folder.ts"
import { QueryveilError } from "../kernels/error.ts"
import { refusePrivate } from "../release/write-release.ts"
import type { ProbeSubject } from "./probe.ts"

/**
 * Runs a function with a folder for TREC files, which is written completely or not at all. Private: the files hold
 * query texts and the urls clicked for them.
 */
export async function withTrecFolder<T>(
  folder: string,
  use: (trec: NonNullable<ProbeSubject["trec"]>) => Promise<T>,
): Promise<T> {
  await refusePrivate(folder)
  await reserveFolder(folder, { mark: "qrels.txt" })
  return writeFolder(folder, { mode: 0o700, replace: false }, async (temporary) => {
    let files = 0
    const result = await use(async (name, lines) => {
      files++
      await appendFile(join(temporary, name), lines.map((line) => `${line}\n`).join(""), { mode: 0o600 })
    })
    if (files > 0) return result
    throw new QueryveilError("usage", "--trec: there are no runs to write, because retrieval does not apply here.", {
      flag: "--trec",
    })
  })
}
