import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

/** A folder of this test file, gone when its tests are done: names in it, new names, and files written into it. */
export function scratchFolder() {
  const folder = mkdtempSync(join(tmpdir(), "queryveil-test-"))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // A module that several files import has one folder for all of them: the first removes it, the next makes it again.
  afterAll(remove)
  process.once("exit", remove)
  let made = 0
  const at = (...names: string[]) => join(folder, ...names)
  return {
    folder,
    at,
    /** A path that nothing stands at yet. */
    fresh: (name = "new") => {
      mkdirSync(folder, { recursive: true })
      return at(`${name}-${made++}`)
    },
    /** A file that only its owner can read. */
    write(content: string | Uint8Array, name = `file-${made++}.txt`): string {
      mkdirSync(folder, { recursive: true })
      writeFileSync(at(name), content, { mode: 0o600 })
      return at(name)
    },
  }
}
