import { mkdir, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { QueryveilError } from "../../../kernels/error.ts"
import { readHistory } from "../../../personal/import/read-history.ts"
import { learnDocuments } from "../../../personal/learn.ts"
import { emptyStore } from "../../../personal/personal-store.ts"
import { ProfileFile } from "../../../personal/profile-file.ts"
import type { TopicSearcher } from "../../../taxonomy/classify/topic-searcher.ts"
import type { Session } from "../../session.ts"
import { askLine, askNewPassphrase, canAsk } from "./ask-terminal.ts"
import { readPassphrase } from "./open-profile.ts"

export interface Wanted {
  path: string
  passphraseFile?: string | undefined
  imports: readonly string[]
}

/** Whether the profile is there, and the passphrase for it: from a file or variable, else asked for. */
export async function findPassphrase(
  { path, passphraseFile }: Wanted,
  session: Session,
): Promise<{ isNew: boolean; passphrase: string }> {
  const isNew = (await stat(path).catch(() => undefined)) === undefined
  const isGiven = passphraseFile !== undefined || (process.env.QUERYVEIL_PASSPHRASE ?? "") !== ""
  if (isGiven || !canAsk()) {
    const passphrase = await readPassphrase(passphraseFile, session)
    if (passphrase === "") throw new QueryveilError("profile-passphrase", "The passphrase is empty. Give a longer one.")
    return { isNew, passphrase }
  }
  const { signal } = session.context
  if (isNew) {
    process.stderr.write(
      `A new profile: ${path}\nIt is encrypted with a passphrase. Nobody can open it without; there is no way to restore a lost one.\n`,
    )
  }
  return {
    isNew,
    passphrase: isNew ? await askNewPassphrase(signal) : await askLine("Passphrase: ", { secret: true, signal }),
  }
}

/** Opens the profile, or makes it, with what is imported into it. */
export async function openOrCreate(
  wanted: Wanted & { isNew: boolean; passphrase: string },
  searcher: TopicSearcher,
  session: Session,
): Promise<ProfileFile> {
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
  const answer = await askLine(
    "Import a history? A file of Google Takeout (MyActivity.json), a CSV or a copy of a browser's history; empty: learn from use.\nFile: ",
    { signal },
  )
  return answer.trim() === "" ? [] : [answer.trim()]
}
