// Builds the demos of the documentation site: demos.js, a classic script without requests, and demos.css.
import { fileURLToPath } from "node:url"
import { build } from "vite"

const configFile = fileURLToPath(new URL("vite.config.ts", import.meta.url))

/** Writes `demos.js` and `demos.css` to a folder. Leaves its other files. */
export async function buildDemos(outDir) {
  await build({ configFile, logLevel: "warn", build: { outDir } })
}
