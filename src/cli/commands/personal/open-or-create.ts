import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"
import { readHistory } from "../../../personal/import/read-history.ts"
import { learnDocuments } from "../../../personal/learn.ts"
import { emptyStore } from "../../../personal/personal-store.ts"
import { ProfileFile } from "../../../personal/profile-file.ts"
import type { TopicSearcher } from "../../../taxonomy/classify/topic-searcher.ts"
import type { Session } from "../../session.ts"
import { askLine, canAsk } from "./ask-terminal.ts"

/** The profile to open, whether it is new, and what it learns from first. */
interface Wanted {
  path: string
  isNew: boolean
  passphrase: string
  imports: readonly string[]
}

/** Opens the profile, or creates it with what is imported into it. */
export async function openOrCreate(wanted: Wanted, searcher: TopicSearcher, session: Session): Promise<ProfileFile> {
  const { path, isNew, passphrase } = wanted
  const { taxonomy } = searcher
  const opened = isNew ? undefined : await ProfileFile.open(path, { passphrase, taxonomy })
  const store = opened?.store ?? emptyStore(taxonomy)
  const imports =
    isNew && wanted.imports.length === 0 && canAsk() ? await askImports(session.context.signal) : wanted.imports
  for (const file of imports) {
    const documents = await readHistory(file)
    const options = { searcher, context: session.context, total: documents.length }
    const { placed } = await learnDocuments(store.interests, documents, options)
    session.note(`${file}: ${placed} of ${documents.length} searches and pages have a topic.`)
  }
  if (opened !== undefined) {
    if (imports.length > 0) await opened.save()
    return opened
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  return ProfileFile.create(path, { passphrase, store })
}

async function askImports(signal: AbortSignal): Promise<string[]> {
  const question = [
    "Import a history? Give a Google Takeout file (MyActivity.json), a CSV, or a copy of a browser's history.",
    "Leave it empty to learn from use only.",
    "File: ",
  ]
  const answer = await askLine(question.join("\n"), { signal })
  return answer.trim() === "" ? [] : [answer.trim()]
}
