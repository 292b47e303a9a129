import { type FileHandle, open } from "node:fs/promises"
import { readError } from "../../files/read-error.ts"
import { QueryveilError, systemCode } from "../../kernels/error.ts"
import { countBytes, isGzip, plainBytes } from "../../log/blocks.ts"
import { cutShort } from "./file-position.ts"

const chunkBytes = 1 << 20

/** A file whose plain bytes can be read from any offset. */
export interface FileSource {
  file: FileHandle
  packed: boolean
  /** The bytes from `start` until the end of the file or until the signal. */
  from(start: number): AsyncGenerator<Uint8Array>
  /** At most `length` bytes from the beginning. */
  head(length: number): Promise<Buffer>
}

/** Opens a file, plain or gzip. */
export async function openSource(path: string, signal: AbortSignal): Promise<FileSource> {
  const file = await openFile(path)
  try {
    const packed = isGzip(await readAt(file, 0, 2))
    const { from } = packed ? unpack(path, signal) : readPlain(file, signal)
    const head = (length: number) => (packed ? firstOf(from(0), length) : readAt(file, 0, length))
    return { file, packed, from, head }
  } catch (error) {
    await file.close()
    throw error
  }
}

function readPlain(file: FileHandle, signal: AbortSignal): Pick<FileSource, "from"> {
  return {
    async *from(start) {
      for (let at = start; !signal.aborted; ) {
        const chunk = await readAt(file, at, chunkBytes)
        if (chunk.length === 0) return
        at += chunk.length
        yield chunk
      }
    },
  }
}

function unpack(path: string, signal: AbortSignal): Pick<FileSource, "from"> {
  return {
    async *from(start) {
      let at = 0
      const plain = plainBytes({ path }, countBytes(signal))
      try {
        for await (const chunk of plain) {
          if (at + chunk.length > start) yield chunk.subarray(Math.max(0, start - at))
          at += chunk.length
        }
        if (at < start) throw cutShort(path)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
  }
}

/** At most `length` bytes from the beginning. */
async function firstOf(chunks: AsyncGenerator<Uint8Array>, length: number): Promise<Buffer> {
  const taken: Uint8Array[] = []
  let sum = 0
  for await (const chunk of chunks) {
    taken.push(chunk)
    sum += chunk.length
    if (sum >= length) break
  }
  return Buffer.concat(taken).subarray(0, length)
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, "r")
    if ((await file.stat()).isFile()) return file
    await file.close()
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw readError(path, error)
    throw new QueryveilError("input-missing", `${path}: there is no such file. Check the path.`, { file: path })
  }
  throw new QueryveilError("input-unreadable", `${path}: not a file. Give a pipe as the standard input.`, {
    file: path,
  })
}

export async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(length)
  const { bytesRead } = await file.read(buffer, 0, length, at)
  return buffer.subarray(0, bytesRead)
}
