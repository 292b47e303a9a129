import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Builds one page per run: that of the folder named by `--mode`. The page is served under a policy without inline
 * scripts, inline styles and other origins, so everything is a file next to the page.
 */
export default defineConfig(({ mode }) => ({
  root: here(mode),
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: here(`../dist/web/${mode}`),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    target: "es2022",
  },
}))
