// Runs every example of this folder, one after the other. Exits with 1 if one fails. Run: node examples/run-all.mjs
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL(".", import.meta.url))
const examples = readdirSync(folder).filter((name) => name.endsWith(".mjs") && name !== "run-all.mjs")
for (const name of examples.sort()) {
  process.stdout.write(`\n== ${name}\n`)
  const began = performance.now()
  const { status } = spawnSync(process.execPath, [name], { cwd: folder, stdio: "inherit" })
  if (status !== 0) process.exitCode = 1
  process.stdout.write(
    `-- ${status === 0 ? "done" : "FAILED"} in ${((performance.now() - began) / 1000).toFixed(1)} s\n`,
  )
}
