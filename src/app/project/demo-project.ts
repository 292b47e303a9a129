import { mkdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { exists } from "../../files/partial-names.ts"
import { createContext, type RunContext } from "../../kernels/context.ts"
import { openProject, type Project } from "../../project/open-project.ts"
import { writeSynth } from "../../release/write-synth.ts"

const rows = 200_000
const users = 4000

/**
 * Makes a project on a synthetic log of 200,000 rows, with a purpose, or opens the one that is there. The log is next
 * to the project, in `DIR-log`.
 */
export async function prepareDemo(folder: string, context: RunContext = createContext()): Promise<Project> {
  const logs = `${folder.replace(/\/+$/, "")}-log`
  const path = join(logs, "log.tsv")
  await mkdir(logs, { recursive: true })
  if (!(await exists(path))) await writeSynth(path, { rows, users, seed: 1, follow: 0.5 }, context)
  const project = await openProject(folder, { folders: [logs] })
  const { log, revision } = project.settings
  if (log !== undefined) return project
  const [real] = project.settings.folders.map((root) => join(root, "log.tsv"))
  const { size, mtimeMs } = await stat(path)
  const files = [{ path: real ?? path, bytes: size, modified: mtimeMs }]
  await project.change({
    revision,
    set: {
      log: { files, reading: {}, person: "login" },
      purpose: { use: "suggestions", maxRisk: 0.05, recipient: "Researchers of a university" },
    },
  })
  return project
}
