import { type FileHandle, open } from "node:fs/promises"
import { isFull, writeError } from "./write-error.ts"

/** After this many bytes, data is flushed to the disk in the background, so that the final flush is short. */
const flushBytes = 8 << 20
const retryEvery = 500

/** Options for a full disk. */
export interface AppendOptions {
  /** Called when the disk is full, and again when there is room. */
  onFull?: (full: boolean) => void
  /** For tests: writes the bytes and returns how many were written. */
  write?: (file: FileHandle, bytes: Uint8Array, at: number) => Promise<number>
  /** Waits before a full disk is tried again. */
  wait?: () => Promise<void>
}

/**
 * A file that grows at its end. If the disk is full, it waits for room. Before that it removes what it had written of
 * the current bytes, so that the file always ends after a whole record.
 */
export class AppendFile {
  readonly path: string
  readonly #file: FileHandle
  readonly #options: AppendOptions
  #end: number
  #unflushed = 0
  #flushing: Promise<void> | undefined
  #failure: unknown

  private constructor(path: string, file: FileHandle, { end, ...options }: AppendOptions & { end: number }) {
    this.path = path
    this.#file = file
    this.#end = end
    this.#options = options
  }

  /** Opens or creates a file and truncates it to a length. */
  static async open(path: string, options: AppendOptions & { length: number; mode?: number }): Promise<AppendFile> {
    const { length, mode, ...rest } = options
    try {
      const file = await open(path, "a+", mode ?? 0o666).then(async (made) => {
        await made.close() // with this flag every write would go to the end, whatever its position
        return open(path, "r+")
      })
      await file.truncate(length)
      return new AppendFile(path, file, { ...rest, end: length })
    } catch (error) {
      throw writeError(path, error)
    }
  }

  get end(): number {
    return this.#end
  }

  async append(bytes: Uint8Array): Promise<void> {
    const { onFull, write = writeAt, wait = pause } = this.#options
    let waited = false
    for (let done = 0; done < bytes.length; ) {
      try {
        done += await write(this.#file, bytes.subarray(done), this.#end + done)
      } catch (error) {
        if (!isFull(error)) throw writeError(this.path, error)
        await this.#file.truncate(this.#end).catch(() => {})
        done = 0
        if (!waited) onFull?.(true)
        waited = true
        await wait()
      }
    }
    if (waited) onFull?.(false)
    this.#end += bytes.length
    this.#unflushed += bytes.length
    if (this.#unflushed >= flushBytes) this.#flush()
  }

  /** Resolves when everything that was appended survives a crash. */
  async sync(): Promise<void> {
    await this.#flushing
    if (this.#failure !== undefined) throw this.#failure // the system reports a failed flush only once
    await this.#file.datasync().catch((error) => {
      throw writeError(this.path, error)
    })
  }

  #flush(): void {
    if (this.#flushing !== undefined) return
    this.#unflushed = 0
    this.#flushing = this.#file
      .datasync()
      .catch((error) => {
        this.#failure = writeError(this.path, error)
      })
      .finally(() => {
        this.#flushing = undefined
      })
  }

  async close(): Promise<void> {
    await this.#flushing
    await this.#file.close()
  }
}

const writeAt = async (file: FileHandle, bytes: Uint8Array, at: number) =>
  (await file.write(bytes, 0, bytes.length, at)).bytesWritten

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, retryEvery))
