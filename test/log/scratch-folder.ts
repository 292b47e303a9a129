import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

/** A folder of this test file, gone when its tests are done, and a function that writes a file into it. */
export function scratchFolder() {
  const folder = mkdtempSync(join(tmpdir(), "queryveil-test-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let files = 0
  return {
    folder,
    /** Writes a file and gives its path. */
    write(content: string | Uint8Array, name = `${files++}.txt`): string {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
  }
}
