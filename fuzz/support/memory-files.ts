import type { StoreFile, StoreFiles } from "#dist/files/folder-files.js"

/** The files of a store, in memory. */
export function memoryFiles(content: Record<string, Uint8Array>): StoreFiles {
  const files = new Map(Object.entries(content))
  const open = async (name: string): Promise<StoreFile> => {
    const bytes = () => files.get(name) ?? new Uint8Array(0)
    if (!files.has(name)) throw Object.assign(new Error("no such file"), { code: "ENOENT" })
    return {
      read: async (into, at) => {
        const part = bytes().subarray(at, at + into.length)
        into.set(part)
        return part.length
      },
      write: async () => {
        throw new Error("a reader writes")
      },
      cut: async (length) => {
        files.set(name, bytes().slice(0, length))
      },
      flush: async () => {},
      size: async () => bytes().length,
      close: async () => {},
    }
  }
  return {
    folder: "store",
    open,
    list: async () => [...files.keys()],
    rename: async () => {},
    remove: async () => {},
    flush: async () => {},
  }
}
