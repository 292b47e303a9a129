import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { drawRooms } from "./draw-rooms.ts"
import { readModules } from "./module-graph.ts"

/** `npm run diagram`: draws docs/architecture.svg from the imports of src. Runs from build/diagram. */
const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

writeFileSync(at("docs/architecture.svg"), drawRooms(readModules(at("src"))))
process.stdout.write("docs/architecture.svg\n")
