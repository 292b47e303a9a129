import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

/** A folder of this test file, gone when its tests are done: names in it, new names, and files written into it. */
export function scratchFolder() {
  const folder = mkdtempSync(join(tmpdir(), "queryveil-test-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let made = 0
  const at = (...names: string[]) => join(folder, ...names)
  return {
    folder,
    at,
    /** A path that nothing stands at yet. */
    fresh: (name = "new") => at(`${name}-${made++}`),
    write(content: string | Uint8Array, name = `file-${made++}.txt`): string {
      writeFileSync(at(name), content)
      return at(name)
    },
  }
}
