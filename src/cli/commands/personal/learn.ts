import type { Command } from "commander"
import { Type } from "#typebox"
import { openLog } from "../../../app/open-log.ts"
import { logOptions, outputOption } from "../../../app/options.ts"
import { sensitiveTopics } from "../../../personal/cost-layer.ts"
import { documentsOf, learnDocuments } from "../../../personal/learn.ts"
import { neverTopics } from "../../../personal/never-topics.ts"
import { pathValues, topicsBroken } from "../../../personal/path-values.ts"
import { emptyStore, type PersonalStore } from "../../../personal/personal-store.ts"
import { ProfileFile } from "../../../personal/profile-file.ts"
import { noRisk } from "../../../personal/proxy/exposed.ts"
import { readDocuments } from "../../../personal/read-documents.ts"
import { topicSearcher } from "../../../taxonomy/classify/topic-searcher.ts"
import { openTaxonomy } from "../../../taxonomy/open-taxonomy.ts"
import { defineCommand } from "../../define-command.ts"
import { required } from "../../flags.ts"
import { isThere, profileFlags, readPassphrase } from "./open-profile.ts"
import { readJsonFlag } from "./read-json.ts"

/** `personal learn [LOG…] [--pages FILE] -o PROFILE` */
export function learnCommand(): Command {
  return defineCommand({
    name: "learn",
    summary: "make an encrypted profile from one person's searches and pages, or add to it",
    argument: { syntax: "[log...]", description: "search log: files, globs, or - for standard input" },
    flags: Type.Object({
      output: outputOption("file", "write the encrypted profile, or add to it"),
      user: Type.Optional(Type.String({ description: "take this user of the log, if it has several" })),
      pages: Type.Optional(
        Type.String({
          placeholder: "file",
          description: "read pages and searches: lines of JSON with time, query, title, url, text",
        }),
      ),
      sensitive: Type.Optional(
        Type.String({
          placeholder: "file",
          description: "read sensitive topics, a JSON object of path and sensitivity",
        }),
      ),
      never: Type.Optional(
        Type.String({ placeholder: "file", description: "read topics that are never shown, a JSON list of paths" }),
      ),
      ...logOptions.properties,
      ...profileFlags.properties,
    }),
    async run(session, flags, paths) {
      const path = required(flags.output, "output")
      const isNew = !(await isThere(path))
      const passphrase = await readPassphrase({ path, passphraseFile: flags.passphraseFile, isNew }, session)
      const { context } = session
      const log = paths.length === 0 ? undefined : (await openLog(paths, { ...flags, ofOne: true }, context)).log
      const searches = log === undefined ? [] : documentsOf(log, flags.user === undefined ? {} : { user: flags.user })
      const pages = flags.pages === undefined ? [] : await readDocuments(flags.pages)
      const { cache } = flags
      const taxonomy = await openTaxonomy(flags.taxonomy, cache === undefined ? {} : { cache }, context)
      const file = isNew ? undefined : await ProfileFile.open(path, { passphrase, taxonomy })
      const store = file?.store ?? emptyStore(taxonomy)
      if (flags.sensitive !== undefined) await readSensitive(store, flags.sensitive)
      if (flags.never !== undefined) await readNever(store, flags.never)
      const documents = [...searches, ...pages]
      const options = { searcher: topicSearcher(taxonomy), context, total: documents.length }
      const learned = await learnDocuments(store.interests, documents, options)
      if (file === undefined) await ProfileFile.create(path, { passphrase, store })
      else await file.save()
      const topics = store.interests.profile().size - 1
      session.answer("personal-learn", { file: path, isNew, ...learned, topics })
      if (store.sensitive.topic.length === 0) session.note(`${noRisk}. See queryveil personal mark ${path}.`)
      session.say(
        `${path}: ${learned.placed} of ${learned.documents} documents have a topic; the profile has ${topics} topics.`,
      )
      return 0
    },
  })
}

async function readSensitive(store: PersonalStore, file: string): Promise<void> {
  const { taxonomy } = store.interests
  const value = await readJsonFlag(file, "--sensitive")
  store.sensitive = sensitiveTopics(
    taxonomy,
    pathValues(taxonomy, value, { file, what: "sensitivity", positive: true }),
    { file },
  )
}

async function readNever(store: PersonalStore, file: string): Promise<void> {
  const { taxonomy } = store.interests
  const paths = await readJsonFlag(file, "--never")
  if (!Array.isArray(paths)) throw topicsBroken("expected a list of paths.", file)
  const topics = pathValues(taxonomy, Object.fromEntries(paths.map((path) => [String(path), 1])), {
    file,
    what: "mark",
  })
  store.never = neverTopics(
    taxonomy,
    topics.map(([topic]) => topic),
  )
}
