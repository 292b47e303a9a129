// Builds the pages, one after the other, into dist/web.
import { fileURLToPath } from "node:url"
import { build } from "vite"

const configFile = fileURLToPath(new URL("vite.config.ts", import.meta.url))
for (const mode of ["stream", "workers", "personal", "studio"]) await build({ configFile, mode, logLevel: "warn" })
