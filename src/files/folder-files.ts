import { constants, open, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { systemCode } from "../kernels/error.ts"
import { syncFolder } from "./private-folder.ts"
import { isFull } from "./write-error.ts"

/** An open file. Positions are absolute. A write is complete or throws. */
export interface StoreFile {
  /** Reads from a position on. Returns how many bytes were read. */
  read(into: Uint8Array, at: number): Promise<number>
  /** Writes at a position. */
  write(bytes: Uint8Array, at: number): Promise<void>
  /** Resolves when what was written survives a crash of the machine. */
  flush(): Promise<void>
  /** Truncates the file to this many bytes. */
  cut(length: number): Promise<void>
  /** The size of the file in bytes. */
  size(): Promise<number>
  /** Closes the file. It cannot be used afterwards. */
  close(): Promise<void>
}

/**
 * The files of one folder, all with mode 0600. Everything that the store does on disk goes through this interface, so
 * that a test can make it fail.
 */
export interface StoreFiles {
  readonly folder: string
  /** `make` creates the file, or opens an existing one unchanged. */
  open(name: string, how: "read" | "change" | "make"): Promise<StoreFile>
  /** The names of the files. */
  list(): Promise<string[]>
  /** Renames a file, replacing any file with the new name. */
  rename(from: string, to: string): Promise<void>
  /** Removes a file. It is no error if there is none. */
  remove(name: string): Promise<void>
  /** Resolves when created, renamed and removed files survive a crash of the machine. */
  flush(): Promise<void>
}

const flagsOf = {
  read: constants.O_RDONLY,
  change: constants.O_RDWR,
  make: constants.O_RDWR | constants.O_CREAT,
}
const slice = 64 << 20

export function openFiles(folder: string): StoreFiles {
  return {
    folder,
    open: async (name, how) => openFile(join(folder, name), flagsOf[how]),
    list: () => readdir(folder),
    rename: (from, to) => rename(join(folder, from), join(folder, to)),
    remove: (name) => rm(join(folder, name), { force: true, recursive: true }),
    flush: () => syncFolder(folder),
  }
}

async function openFile(path: string, flags: number): Promise<StoreFile> {
  const handle = await open(path, flags, 0o600)
  return {
    read: async (into, at) => {
      let done = 0
      while (done < into.length) {
        const { bytesRead } = await handle.read(into, done, Math.min(slice, into.length - done), at + done)
        if (bytesRead === 0) break
        done += bytesRead
      }
      return done
    },
    write: async (bytes, at) => {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await handle.write(bytes, done, Math.min(slice, bytes.length - done), at + done)
        done += bytesWritten
      }
    },
    flush: () => handle.datasync(),
    cut: (length) => handle.truncate(length),
    size: async () => (await handle.stat()).size,
    close: () => handle.close(),
  }
}

/** Replaces a file. Whatever happens, it has the old content or the new. */
export async function writeWhole(files: StoreFiles, name: string, text: string): Promise<void> {
  const temporary = `${name}.tmp`
  const file = await files.open(temporary, "make")
  try {
    await file.cut(0)
    await file.write(Buffer.from(text), 0)
    await file.flush()
  } finally {
    await file.close()
  }
  await files.rename(temporary, name)
  await files.flush()
}

/** The content of a file; undefined if it does not exist. */
export async function readWhole(files: StoreFiles, name: string): Promise<string | undefined> {
  let file: StoreFile
  try {
    file = await files.open(name, "read")
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined
    throw error
  }
  try {
    const bytes = Buffer.alloc(await file.size())
    return bytes.toString("utf8", 0, await file.read(bytes, 0))
  } finally {
    await file.close()
  }
}

/** True for errors that end when somebody frees space or repairs the disk. */
export const passes = (error: unknown): boolean => isFull(error) || systemCode(error) === "EIO"
