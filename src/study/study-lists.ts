import { createHash } from "node:crypto"
import type { TSchema } from "#typebox"
import type { StudyRun } from "./run-study.ts"

/** The part of an option's schema that marks its value as a private list, read from a file. */
type ListFacts = TSchema & { private?: boolean; fromFile?: string; unless?: readonly string[] }

/**
 * Replaces the private lists among the options of a study by digests, and moves the lists into its subject, by digest.
 * A point that depends on a list then names it in a few letters, and no file of the study contains it.
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
