import { basename, dirname, join, resolve } from "node:path"
import { QueryveilError } from "../../kernels/error.ts"
import type { Project } from "../../project/open-project.ts"

/** The folder of a release of the project, by its name. Refuses anything that is not a plain name. */
export function releaseFolder({ paths }: Project, name: string): string {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,99}$/u.test(name) || name.includes("..") || /\.(json|html)$/.test(name))
    throw new QueryveilError(
      "option-value",
      "A release is named by up to 100 letters, digits, spaces, dots, hyphens and underscores.",
    )
  const folder = join(paths.releases, name)
  if (basename(folder) !== name || dirname(resolve(folder)) !== resolve(paths.releases))
    throw new QueryveilError("option-value", "This is no name of a release.")
  return folder
}
