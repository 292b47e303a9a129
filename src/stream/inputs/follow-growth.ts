import { type FSWatcher, watch } from "node:fs"
import { type FileHandle, stat } from "node:fs/promises"
import { QueryveilError } from "../../kernels/error.ts"

const lookEvery = 1000
const chunkBytes = 1 << 20

/**
 * Yields what is written to a file from an offset on, until the signal stops it. It is an error if the file was
 * truncated or replaced, because its content can then no longer be distinguished from what was already read.
 */
export async function* followGrowth(
  { path, file, from }: { path: string; file: FileHandle; from: number },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let wake = () => {}
  let changed = false
  const rouse = () => {
    changed = true
    wake()
  }
  // Not every file system reports changes, so the file is also polled.
  const timer = setInterval(rouse, lookEvery)
  const watcher = watchFor(path, rouse)
  signal.addEventListener("abort", rouse)
  try {
    for (let at = from; !signal.aborted; ) {
      const buffer = Buffer.allocUnsafeSlow(chunkBytes)
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, at)
      if (bytesRead > 0) {
        at += bytesRead
        yield buffer.subarray(0, bytesRead)
        continue
      }
      await refuseReplaced({ path, file, at })
      await new Promise<void>((resolve) => {
        wake = resolve
        if (changed || signal.aborted) resolve()
      })
      changed = false
    }
  } finally {
    clearInterval(timer)
    watcher?.close()
    signal.removeEventListener("abort", rouse)
  }
}

/** Undefined if the path cannot be watched: the file may already have been moved away. */
function watchFor(path: string, rouse: () => void): FSWatcher | undefined {
  try {
    return watch(path, rouse).on("error", () => {})
  } catch {
    return undefined
  }
}

async function refuseReplaced({ path, file, at }: { path: string; file: FileHandle; at: number }): Promise<void> {
  const [own, named] = await Promise.all([file.stat(), stat(path).catch(() => undefined)])
  const isCut = own.size < at
  const isOther = named === undefined || named.ino !== own.ino || named.dev !== own.dev
  if (!isCut && !isOther) return
  if (!isCut && own.size > at) return // read the rest of it first
  const what = isCut ? "was truncated" : "was moved away or replaced"
  throw new QueryveilError(
    "input-changed",
    [
      `${path}: ${what} while it was followed. Everything before that was read.`,
      "Start a new store with the new file, or send its lines to a socket.",
    ].join(" "),
    { file: path },
  )
}
