import { type FileHandle, open } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { reserveFile, reserveFolder } from "../files/reserve.ts"
import { writeError } from "../files/write-error.ts"
import { writeChunksWhole } from "../files/write-file.ts"
import { writeFolder } from "../files/write-folder.ts"
import { createContext, type RunContext } from "../kernels/context.ts"
import { planSynth, type SynthOptions, type SynthPlan } from "../synth/options.ts"
import { type SynthChunk, synthesise } from "../synth/synthesise.ts"
import { createLineDigests } from "./line-digests.ts"
import { digestsFile, secretsFile } from "./truth.ts"

/** Options of the synthetic log, and where to write what was planted in it. */
export interface WriteSynthOptions extends SynthOptions {
  /** Folder for `secrets.tsv`, `topics.tsv` and `digests.tsv`. */
  truth?: string
  /** True to replace existing files. */
  force?: boolean
}

/** What was written. */
export interface SynthSummary extends SynthPlan {
  /** Number of rows that contain a planted secret. */
  secretRows: number
}

/**
 * Writes a synthetic log, gzipped if its name ends with `.gz`, and the truth about it, both whole or not at all. If
 * `target` is a function, it gets the bytes instead. Memory does not grow with the number of rows.
 */
export async function writeSynth(
  target: string | ((bytes: Uint8Array) => Promise<void>),
  options: WriteSynthOptions = {},
  context: RunContext = createContext(),
): Promise<SynthSummary> {
  const { truth, force = false, ...model } = options
  const plan = planSynth(model)
  if (typeof target === "string") await reserveFile(target, { force })
  if (truth !== undefined) await reserveFolder(truth, { mark: secretsFile, force })
  let secretRows = 0
  const write = async (noteTruth: (chunk: SynthChunk) => Promise<void>) => {
    async function* bytes() {
      for await (const chunk of synthesise({ ...model, topics: truth !== undefined }, context)) {
        secretRows += chunk.secrets.length
        await noteTruth(chunk)
        yield chunk.bytes
      }
    }
    if (typeof target !== "string") for await (const chunk of bytes()) await target(chunk)
    else
      await writeChunksWhole(target, target.endsWith(".gz") ? gzip(bytes()) : bytes(), { mode: 0o644, replace: force })
  }
  if (truth === undefined) await write(async () => {})
  else await writeFolder(truth, { mode: 0o755, replace: force }, (folder) => withTruth(folder, write))
  return { ...plan, secretRows }
}

/** Opens the files of the truth, and lets `write` append to them chunk by chunk. */
async function withTruth(folder: string, write: (note: (chunk: SynthChunk) => Promise<void>) => Promise<void>) {
  const files: FileHandle[] = []
  try {
    for (const name of [secretsFile, digestsFile, "topics.tsv"]) files.push(await open(join(folder, name), "wx", 0o644))
    const [secrets, digests, topics] = files
    await secrets.appendFile("row\tkind\n")
    await digests.appendFile("row\tdigest\n")
    const digestLines = createLineDigests()
    await write(async (chunk) => {
      try {
        if (chunk.topics.length > 0) await topics.appendFile(chunk.topics)
        if (chunk.secrets.length > 0)
          await secrets.appendFile(chunk.secrets.map(({ row, kind }) => `${row}\t${kind}\n`).join(""))
        await digests.appendFile(
          digestLines(chunk)
            .map(({ line, digest }) => `${line}\t${digest}\n`)
            .join(""),
        )
      } catch (error) {
        throw writeError(folder, error)
      }
    })
    for (const file of files) await file.sync()
  } finally {
    for (const file of files) await file.close()
  }
}

async function* gzip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const zip = createGzip({ level: 6 })
  const fed = pipeline(Readable.from(chunks), zip)
  fed.catch(() => {}) // awaited below; a failure also ends the loop
  for await (const piece of zip) yield piece
  await fed
}
