import { Type } from "#typebox"
import { restoreSignatures } from "../../../app/project/decide-release.ts"
import { openProject, type Project } from "../../../project/open-project.ts"

export const projectOption = Type.Object({
  project: Type.String({ placeholder: "dir", description: "use the project in this folder" }),
})

export const releaseName = { syntax: "<name>", description: "the release, by its name in the project" }

/** Opens a project for one piece of work, and closes it however the work ends. */
export async function withProject<T>(folder: string, work: (project: Project) => Promise<T>): Promise<T> {
  const project = await openProject(folder, { create: false })
  try {
    await restoreSignatures(project)
    return await work(project)
  } finally {
    await project.close()
  }
}
