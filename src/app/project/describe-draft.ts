import { QueryveilError } from "../../kernels/error.ts"
import { readRelease } from "../../release/read-release.ts"
import { type DraftFile, draftFile } from "./jobs/draft-job.ts"
import { choiceStamp, type ProjectView } from "./jobs/project-view.ts"
import { ageOf, readProduct } from "./products.ts"
import type { DraftView } from "./studio-schema.ts"

/** The preview screen: what the draft promises, shows and withholds. */
export async function describeDraft(view: ProjectView): Promise<DraftView> {
  const about = await readProduct<DraftFile>(draftFile(view))
  if (about === undefined) throw new QueryveilError("unknown-name", "There is no draft yet.")
  const { manifest } = await readRelease(view.paths.draft)
  const { guarantee, files } = manifest
  const shared = "columns" in manifest ? manifest.columns : []
  return {
    stale: ageOf(about, await choiceStamp(view)).stale,
    seeded: true,
    choice: about.choice,
    statement: guarantee.statement,
    notCovered: [...guarantee.notCovered],
    files: files.map((file) => ({
      name: file.path,
      rows: file.rows,
      columns: "columns" in file ? file.columns.map(({ name }) => name) : [...shared],
    })),
    withheld: Object.entries(about.withheld).map(([reason, rows]) => ({ reason, rows })),
    warnings: about.warnings,
    empty: about.empty,
  }
}
