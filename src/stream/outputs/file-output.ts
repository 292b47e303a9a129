import { stat } from "node:fs/promises"
import { AppendFile, type AppendOptions } from "../../files/append-file.ts"
import { lockFile } from "../../files/lock.ts"
import { writeError } from "../../files/write-error.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { StreamOutput } from "../live/transport.ts"
import { countLines, isAhead } from "./count-lines.ts"

/**
 * A file that contains every release exactly once: everything after the position of the last checkpoint is cut off and
 * written again. With a new store, a file that already has content is refused unless `force` allows replacing it.
 */
export function fileOutput(path: string, options: AppendOptions & { force?: boolean } = {}): StreamOutput {
  let file: AppendFile | undefined
  let unlock = async () => {}
  const opened = () => {
    if (file === undefined) throw new Error("the output is not open")
    return file
  }
  return {
    exact: true,
    async open({ bytes, isNew, due }) {
      const found = await stat(path).catch(() => undefined)
      const size = found?.size ?? 0
      if (found !== undefined && !found.isFile())
        throw new QueryveilError("output-exists", `${path}: not a file. Choose another name for the output.`, {
          file: path,
        })
      unlock = await lockOutput(path)
      try {
        if (isNew && size > 0 && options.force !== true) {
          throw new QueryveilError(
            "output-exists",
            `${path}: has content that is not from this store. Choose another file, or replace it with --force.`,
            { file: path },
          )
        }
        if (size < bytes) {
          throw new QueryveilError(
            "output-changed",
            [
              `${path}: has ${size} bytes, but ${bytes} were written before.`,
              "Restore the file, or start with a new store and a new file.",
            ].join(" "),
            { file: path },
          )
        }
        // A file without a checkpoint may already have its header line.
        if (!isNew && (await countLines(path, bytes)) > due + (bytes === 0 ? 1 : 0)) throw isAhead(path)
        file = await AppendFile.open(path, { ...options, length: bytes, mode: 0o600 })
      } catch (error) {
        await unlock()
        throw error
      }
    },
    write: (bytes) => opened().append(bytes),
    settle: () => opened().sync(),
    async close() {
      try {
        await file?.sync()
        await file?.close()
      } finally {
        await unlock()
      }
    },
  }
}

/** Prevents two streams from writing one file, even with different stores. */
function lockOutput(path: string): Promise<() => Promise<void>> {
  const busy = () =>
    new QueryveilError("output-exists", `${path}: another stream is writing this file. Choose another name.`, {
      file: path,
    })
  return lockFile(`${path}.lock.duckdb`, { place: "the output", busy, keep: false }).catch((error) => {
    throw writeError(path, error)
  })
}
