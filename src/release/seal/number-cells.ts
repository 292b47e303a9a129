import type { StreamSettings } from "../../stream/live/settings.ts"
import { cutBySettings } from "../../stream/live/settings.ts"
import type { AuditedRelease, StreamAudit } from "../../stream/store/audited-releases.ts"
import { CellCounts } from "../../swapper/cell-counts.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"

/** A release with the number of its cell in its category, from 0. */
export type NumberedRelease = AuditedRelease & { numberInCategory: number }

/**
 * The releases of an audit, with the numbers that their cells have in their categories. Counts begin with those of each
 * stretch of the audit. In paper mode a release is a cell, and its number means nothing.
 */
export async function* numberCells(audit: StreamAudit, taxonomy: Taxonomy): AsyncGenerator<NumberedRelease> {
  let counts = new CellCounts()
  let stretch: AuditedRelease["stretch"] | undefined
  let settings = ""
  let cut: Int32Array = new Int32Array(0)
  let cell = -1
  let numberInCategory = 0
  for await (const release of audit.releases()) {
    if (release.stretch !== stretch) {
      stretch = release.stretch
      counts = new CellCounts()
      counts.restore(stretch.counts ?? [])
    }
    if (release.settings !== settings) {
      settings = release.settings
      const parsed: StreamSettings = JSON.parse(settings)
      cut = cutBySettings(taxonomy, parsed)
    }
    if (release.cell !== cell) {
      cell = release.cell
      const category = cut[release.record.topic]
      numberInCategory = counts.of(category)
      counts.add(category)
    }
    yield { ...release, numberInCategory }
  }
}
