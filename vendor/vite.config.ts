import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Libraries of many small files, each as one. */
export default defineConfig({
  ssr: { noExternal: true },
  build: {
    ssr: here("typebox.js"),
    outDir: here("../dist/vendor"),
    emptyOutDir: true,
    target: "node20",
    minify: true,
  },
})
