import { fileURLToPath } from "node:url"
import { defineConfig, type Plugin } from "vite"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The modules of Node that the methods of the demos use, and what a page has in their place. */
const replaced: Readonly<Record<string, string>> = {
  "node:crypto": here("node/crypto.ts"),
  "node:os": here("node/os.ts"),
}

/** What the methods of the demos use of `Buffer`. */
const bufferParts = ["from", "compare"]

/** Replaces what is only in Node. Fails the build if a method uses something that a page would not have. */
const nodeParts: Plugin = {
  name: "node-parts",
  enforce: "pre",
  resolveId(id, importer) {
    if (!id.startsWith("node:")) return undefined
    const found = replaced[id]
    if (found === undefined) this.error(`${importer} imports ${id}, which the demos do not have (site/demos/node)`)
    return found
  },
  transform(code, id) {
    if (!id.startsWith(here("../../src/"))) return
    for (const [, part = ""] of code.matchAll(/\bBuffer\.(\w+)/g))
      if (!bufferParts.includes(part)) this.error(`${id} uses Buffer.${part}, which the demos do not have`)
    const other = /\bprocess\.\w+|\brequire\(|\bnew Worker\b/.exec(code)
    if (other !== null) this.error(`${id} uses ${other[0]}, which the demos do not have`)
  },
}

/**
 * Builds all demos as one classic script, which also runs in a page opened from a folder. It loads nothing. A page that
 * is opened like that has no memory shared with threads, and the demos have no threads.
 */
export default defineConfig({
  root: here("."),
  plugins: [nodeParts],
  resolve: { alias: { "#typebox": here("../../vendor/typebox.js") } },
  define: { SharedArrayBuffer: "ArrayBuffer" },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    emptyOutDir: false,
    target: "es2022",
    cssCodeSplit: false,
    lib: {
      entry: here("main.tsx"),
      formats: ["iife"],
      name: "queryveilDemos",
      fileName: () => "demos.js",
      cssFileName: "demos",
    },
    rolldownOptions: {
      transform: {
        inject: {
          Buffer: [here("node/buffer.ts"), "Buffer"],
          setImmediate: [here("node/set-immediate.ts"), "setImmediate"],
        },
      },
    },
  },
})
