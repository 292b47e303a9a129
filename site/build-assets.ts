import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "vite"
import { siteIcon } from "./icons.ts"

const styles = ["base", "layout", "content", "search", "start", "print"]

/** Writes scripts, styles and demos into `assets`. Returns the names of the demos. */
export async function buildAssets(root: string, folder: string): Promise<ReadonlySet<string>> {
  const assets = join(folder, "assets")
  mkdirSync(assets)
  const css = styles.map((name) => readFileSync(join(root, `site/style/${name}.css`), "utf8"))
  writeFileSync(join(assets, "site.css"), css.join("\n"))
  writeFileSync(join(assets, "icon.svg"), siteIcon)
  for (const name of ["theme", "page"]) await bundle(join(root, `site/page/${name}.ts`), { name, assets })
  return buildDemos(root, assets)
}

/** Bundles a script as one classic script: browsers refuse modules of pages that are opened from a folder. */
async function bundle(entry: string, { name, assets }: { name: string; assets: string }): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: {
      outDir: assets,
      emptyOutDir: false,
      target: "es2022",
      lib: { entry, formats: ["iife"], name: `queryveil_${name}`, fileName: () => `${name}.js` },
    },
  })
}

/** Builds the demos and returns their names. A checkout without demos has none. */
async function buildDemos(root: string, assets: string): Promise<ReadonlySet<string>> {
  const script = join(root, "site/demos/build-demos.mjs")
  if (!existsSync(script)) return new Set()
  const { buildDemos } = (await import(pathToFileURL(script).href)) as { buildDemos: (outDir: string) => Promise<void> }
  await buildDemos(assets)
  const list = readFileSync(join(root, "site/demos/list.ts"), "utf8")
  const names = /demos = \[([^\]]*)\]/.exec(list)?.[1] ?? ""
  return new Set([...names.matchAll(/"([a-z-]+)"/g)].map(([, name = ""]) => name))
}
