import { storeParts } from "#dist/stream/store/open-store.js"

type StoreFiles = ReturnType<typeof storeParts.files>

/** A change to the disk: `flush journal-1.log`, `rename checkpoint.json.tmp`. */
export interface Deed {
  what: string
  /** Number of bytes of a write. */
  bytes?: number
}

/**
 * Files that call `before` ahead of each deed that changes something, and keep count. `before` may throw. If it returns
 * a number, the write stops after that many bytes.
 */
export function watchFiles(
  folder: string,
  before: (deed: Deed) => undefined | { wrote: number; error: Error },
): StoreFiles {
  const files = storeParts.files(folder)
  const ask = (what: string) => void before({ what })
  return {
    ...files,
    open: async (name, how) => {
      if (how === "make") ask(`make ${name}`)
      const file = await files.open(name, how)
      return {
        ...file,
        write: async (bytes, at) => {
          const cut = before({ what: `write ${name}`, bytes: bytes.length })
          if (cut === undefined) return file.write(bytes, at)
          await file.write(bytes.subarray(0, cut.wrote), at)
          throw cut.error
        },
        flush: async () => {
          ask(`flush ${name}`)
          await file.flush()
        },
        cut: async (length) => {
          ask(`cut ${name}`)
          await file.cut(length)
        },
      }
    },
    rename: async (from, to) => {
      ask(`rename ${from}`)
      await files.rename(from, to)
    },
    remove: async (name) => {
      ask(`remove ${name}`)
      await files.remove(name)
    },
    flush: async () => {
      ask("flush folder")
      await files.flush()
    },
  }
}

export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code })
}
