import { constants, open, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { systemCode } from "../kernels/error.ts"
import { syncFolder } from "./private-folder.ts"
import { isFull } from "./write-error.ts"

/** An open file. Places are absolute; a write is whole or throws. */
export interface StoreFile {
  /** Reads from a place on; gives how many bytes there were. */
  read(into: Uint8Array, at: number): Promise<number>
  /** Writes at a place. */
  write(bytes: Uint8Array, at: number): Promise<void>
  /** Resolves when what was written survives a crash of the machine. */
  flush(): Promise<void>
  /** Cuts the file to so many bytes. */
  cut(length: number): Promise<void>
  /** Bytes of the file. */
  size(): Promise<number>
  /** Nothing can be done with it afterwards. */
  close(): Promise<void>
}

/** The files of one folder, all of mode 0600: everything that the store does to the disk, so that a test can let it fail. */
export interface StoreFiles {
  readonly folder: string
  /** `make` opens an existing file as it is. */
  open(name: string, how: "read" | "change" | "make"): Promise<StoreFile>
  /** The names of the files. */
  list(): Promise<string[]>
  /** Gives a file another name, over what has it. */
  rename(from: string, to: string): Promise<void>
  /** Removes a file; none of that name is no error. */
  remove(name: string): Promise<void>
  /** Resolves when files that came and went survive a crash of the machine. */
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

/** The file has the old content or the new, whatever happens. */
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

/** A file's content, or nothing if there is no such file. */
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

/** True for errors that pass when somebody makes room or mends the disk. */
export const passes = (error: unknown): boolean => isFull(error) || systemCode(error) === "EIO"
