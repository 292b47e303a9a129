import { type TSchema, Type } from "#typebox"
import { releaseVersion } from "../../release/manifest.ts"
import { logAnswers } from "./log-answers.ts"
import { answer, count, counts, number, text } from "./parts.ts"
import { personalAnswers } from "./personal-answers.ts"
import { releaseAnswers } from "./release-answers.ts"
import { manifest, receipt } from "./release-files.ts"
import { streamAnswers } from "./stream-answers.ts"
import { studioAnswers } from "./studio-answers.ts"
import { type AnswerName, answerVersions } from "./versions.ts"

const topic = { path: text(), name: text(), depth: count(), support: number(), own: number(), below: count() }

/** The schema of every answer for machines. */
export const answerSchemas: Record<AnswerName, TSchema> = {
  ...releaseAnswers,
  ...logAnswers,
  ...streamAnswers,
  ...personalAnswers,
  ...studioAnswers,
  "taxonomy-show": answer("taxonomy-show", "a topic and the topics below it", {
    ...topic,
    text: text(),
    children: Type.Optional(
      Type.Array(Type.Object({ ...topic, children: Type.Optional(Type.Array(Type.Any())) }), {
        description: "each with its own children, as deep as requested",
      }),
    ),
  }),
  "taxonomy-stats": answer("taxonomy-stats", "the size and shape of a taxonomy", {
    topics: count(),
    levels: Type.Array(
      Type.Object({
        level: count(),
        topics: count(),
        total: count(),
        leaves: count(),
        meanChildren: number(),
        support: number(),
      }),
    ),
    leaves: count(),
    meanChildren: number(),
    support: number(),
    unsupported: count(),
  }),
  "taxonomy-import": answer("taxonomy-import", "a taxonomy that was written", {
    file: text(),
    format: text(),
    topics: count(),
    levels: count(),
    pages: count(),
    repairs: counts("repairs, by kind"),
  }),
  error: answer("error", "why a command failed, on stderr", {
    error: Type.Object({
      code: text("one of docs/errors.md"),
      message: text(),
      file: Type.Optional(text()),
      line: Type.Optional(count()),
      column: Type.Optional(text()),
      flag: Type.Optional(text()),
    }),
  }),
}

const draft = "https://json-schema.org/draft/2020-12/schema"

/** The files of `schemas/`, by name: one for each answer, the manifest and the receipt. */
export function schemaFiles(): Map<string, string> {
  const names = Object.keys(answerSchemas) as AnswerName[]
  const schemas: [string, TSchema][] = [
    ...names.map((name): [string, TSchema] => [`${name}.v${answerVersions[name]}`, answerSchemas[name]]),
    [`release.v${releaseVersion}`, manifest],
    [`receipt.v${releaseVersion}`, receipt],
  ]
  return new Map(
    schemas
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => [`${name}.json`, `${JSON.stringify({ $schema: draft, ...schema }, null, 2)}\n`]),
  )
}
