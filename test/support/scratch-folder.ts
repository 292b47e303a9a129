import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

/** The folders of all files that this process tests. */
const folders: string[] = []
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/**
 * A folder for this test file, removed when its tests are done. It gives names in the folder and new names, and writes
 * files.
 */
export function scratchFolder() {
  const folder = mkdtempSync(join(tmpdir(), "queryveil-test-"))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // Several files that import a module share one folder: the first removes it, the next makes it again.
  afterAll(remove)
  folders.push(folder)
  let made = 0
  const at = (...names: string[]) => join(folder, ...names)
  return {
    folder,
    at,
    /** A path that does not exist yet. */
    fresh: (name = "new") => {
      mkdirSync(folder, { recursive: true })
      return at(`${name}-${made++}`)
    },
    /** Writes a file that only its owner can read. */
    write(content: string | Uint8Array, name = `file-${made++}.txt`): string {
      mkdirSync(folder, { recursive: true })
      writeFileSync(at(name), content, { mode: 0o600 })
      return at(name)
    },
  }
}
