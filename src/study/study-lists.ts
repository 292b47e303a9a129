import { createHash } from "node:crypto"
import type { TSchema } from "#typebox"
import type { StudyRun } from "./run-study.ts"

/** What of an option's schema says that its value is a private list, read from a file. */
type ListFacts = TSchema & { private?: boolean; fromFile?: string; unless?: readonly string[] }

/**
 * Puts digests in the place of the private lists among the options of a study, and the lists themselves into its subject, by
 * digest. So a point that depends on a list names it in a few letters, and no file of the study repeats it.
 */
export function setListsApart(run: StudyRun): StudyRun {
  const lists: Record<string, string> = { ...run.subject.lists }
  const options = Object.fromEntries(
    Object.entries(run.options).map(([key, value]) => {
      const { private: isPrivate, fromFile, unless }: ListFacts = run.study.options.properties[key] ?? {}
      if (isPrivate !== true || fromFile === undefined || typeof value !== "string") return [key, value]
      if (unless?.includes(value) === true || Object.hasOwn(lists, value)) return [key, value]
      const digest = `sha256:${createHash("sha256").update(value).digest("hex")}`
      lists[digest] = value
      return [key, digest]
    }),
  )
  return { ...run, options, subject: { ...run.subject, lists } }
}
