import { watch } from "node:fs/promises"

/** Resolves when a file or folder with a matching name appears in a folder, or when a command has ended before that. */
export async function whenAppears(folder: string, name: RegExp, ended: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  ended.finally(() => over.abort())
  try {
    for await (const { filename } of watch(folder, { signal: over.signal })) {
      if (filename !== null && name.test(filename)) return
    }
  } catch (error) {
    if (!over.signal.aborted) throw error
  }
}
