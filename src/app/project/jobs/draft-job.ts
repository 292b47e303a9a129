import { rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { makePrivateFolder } from "../../../files/private-folder.ts"
import { writeFileWhole } from "../../../files/write-file.ts"
import { createContext, type RunContext } from "../../../kernels/context.ts"
import { releaseAny } from "../../release.ts"
import { choiceOf, choiceStamp, type ProjectView, readProjectLog } from "./project-view.ts"

const seed = 1

/** What the preview screen says about a draft besides its manifest and receipt. */
export interface DraftFile {
  stamp: string
  at: string
  choice: { method: string; parameters: Record<string, string | number | boolean> }
  withheld: Record<string, number>
  warnings: string[]
  empty: boolean
}

/** The file next to the draft's folder that says what it was made from. */
export const draftFile = ({ paths }: ProjectView): string => join(dirname(paths.draft), "draft.json")

/** Makes a release from a seed, to look at. It says that it is seeded, and never verifies for publication. */
export async function draftJob(view: ProjectView, _options: object, context: RunContext): Promise<object> {
  const { paths, settings } = view
  const choice = await choiceOf(view)
  const stamp = await choiceStamp(view)
  await rm(draftFile(view), { force: true })
  await makePrivateFolder(dirname(paths.draft))
  const { signal, workers, now, report } = context
  const seeded = createContext({ seed, signal, workers, now, report })
  const places = { folder: paths.draft, audit: paths.draftAudit, force: true }
  const { receipt, isEmpty } = await releaseAny(() => readProjectLog(view, context), choice, places, seeded)
  const about: DraftFile = {
    stamp,
    at: new Date(context.now()).toISOString(),
    choice: settings.choice ?? { method: choice.method, parameters: {} },
    withheld: receipt.withheld,
    warnings: receipt.warnings,
    empty: isEmpty,
  }
  await writeFileWhole(draftFile(view), `${JSON.stringify(about, null, 2)}\n`, { mode: 0o600 })
  return {}
}
