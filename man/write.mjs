import { writeFileSync } from "node:fs"
import { buildProgram } from "#dist/cli/build-program.js"
import { readCommandTree } from "#dist/cli/command-tree.js"
import { manPage } from "#dist/cli/man-page.js"

// Writes the manual page from the commands that the build has.
const program = await buildProgram()
writeFileSync(new URL("../dist/queryveil.1", import.meta.url), manPage(readCommandTree(program), program.version()))
