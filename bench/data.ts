import { createReadStream, createWriteStream } from "node:fs"
import { mkdir, rename, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { createContext } from "#dist/kernels/context.js"
import { writeSynth } from "#dist/release/write-synth.js"

/**
 * Synthetic logs of the benches. They are kept between runs, since the same seed makes the same file. After a change of
 * the model, remove the folder.
 */
export const benchFolder = join(tmpdir(), "queryveil-bench")

export const logPath = (rows: number) => join(benchFolder, `synth-${rows}.tsv`)

/** A log of heavy users: 408 rows each on average, compared with 55 in AOL's log. */
export const heavyLogPath = join(benchFolder, "synth-408000-heavy.tsv")

/** Makes a log with about as many users for its rows as AOL's log (657,000 for 36 million). */
export async function makeLog(rows: number): Promise<void> {
  await makeFile(logPath(rows), async (path) => {
    await writeSynth(path, { rows, seed: 1, force: true }, createContext())
  })
}

export async function makeGzip(rows: number): Promise<void> {
  const source = logPath(rows)
  await makeFile(`${source}.gz`, (path) =>
    pipeline(createReadStream(source), createGzip({ level: 6 }), createWriteStream(path)),
  )
}

async function makeFile(path: string, make: (temporary: string) => Promise<void>): Promise<void> {
  await mkdir(benchFolder, { recursive: true, mode: 0o700 })
  const exists = await stat(path).then(
    () => true,
    () => false,
  )
  if (exists) return
  await make(`${path}.partial`)
  await rename(`${path}.partial`, path)
}
