import { assembleTree, packTexts } from "#dist/taxonomy/assemble-tree.js"
import { taxonomyFrom } from "#dist/taxonomy/taxonomy.js"

/** A root with Arts, Arts/Music, Arts/Film, Health and Health/Sleep below it. */
export const smallTaxonomy = taxonomyFrom(
  assembleTree({
    parent: Int32Array.of(-1, 0, 1, 1, 0, 4),
    own: Float64Array.of(0, 1, 2, 3, 1, 4),
    names: packTexts(["", "Arts", "Music", "Film", "Health", "Sleep"]),
    texts: packTexts(["", "", "songs", "", "", ""]),
  }).columns,
)
