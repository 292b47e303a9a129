import { assembleTree, packTexts } from "./assemble-tree.ts"
import { type Taxonomy, taxonomyFrom } from "./taxonomy.ts"

/** A path as a taxonomy writes it: without empty names, and without spaces around names. */
export function plainPath(path: string): string {
  return path
    .split("/")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .join("/")
}

/** The tree of some paths and all their ancestors. Its topics have no text. */
export function treeOfPaths(paths: readonly string[]): Taxonomy {
  const nodes = new Map([["", 0]])
  const parent = [-1]
  const names = [""]
  for (const path of paths) {
    let [above, node] = ["", 0]
    for (const name of plainPath(path).split("/")) {
      if (name === "") continue
      above = `${above}/${name}`
      let next = nodes.get(above)
      if (next === undefined) {
        next = parent.length
        nodes.set(above, next)
        parent.push(node)
        names.push(name)
      }
      node = next
    }
  }
  const { columns } = assembleTree({
    parent: Int32Array.from(parent),
    own: new Float64Array(parent.length),
    names: packTexts(names),
    texts: packTexts(names.map(() => "")),
  })
  return taxonomyFrom(columns)
}
