import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { schemaFiles } from "#dist/app/answers/registry.js"

// Writes the schemas that the code has, in the place of those that are here.
const here = new URL("./", import.meta.url)
for (const name of readdirSync(here)) if (name.endsWith(".json")) rmSync(new URL(name, here))
for (const [name, text] of schemaFiles()) writeFileSync(new URL(name, here), text)
