import { mkdir } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { openFiles, passes, type StoreFiles } from "../../files/folder-files.ts"
import { lockName } from "../../files/lock.ts"
import { closeFolder } from "../../files/private-folder.ts"
import { QueryveilError, systemCode } from "../../kernels/error.ts"
import { segmentName } from "./journal.ts"
import {
  type Checkpoint,
  firstCheckpoint,
  readStoreFacts,
  type StoreFacts,
  writeCheckpoint,
  writeStoreFacts,
} from "./store-facts.ts"

/** Creates the folder of a store, or makes an existing one private. Refuses a folder with other content. */
export async function takeFolder(files: StoreFiles): Promise<void> {
  await mkdir(files.folder, { recursive: true, mode: 0o700 })
  await refuseForeign(files)
  await closeFolder(files.folder)
}

/** True for names that an incomplete store may have left; such a store is created again. */
const beginnings = (name: string) =>
  name.startsWith(lockName) || name.endsWith(".tmp") || ["checkpoint.json", segmentName(1)].includes(name)

async function refuseForeign(files: StoreFiles): Promise<void> {
  if ((await readStoreFacts(files)) !== undefined) return
  const names = await files.list()
  if (names.every(beginnings) && (await sizeOf(files, names, segmentName(1))) === 0) return
  throw new QueryveilError(
    "store-foreign",
    `${files.folder}: is not empty and not a store of a stream. Give an empty folder or a new name.`,
    { file: files.folder },
  )
}

async function sizeOf(files: StoreFiles, names: string[], name: string): Promise<number> {
  if (!names.includes(name)) return 0
  const file = await files.open(name, "read")
  try {
    return await file.size()
  } finally {
    await file.close()
  }
}

/** Begins a store with these facts, which are written last. */
export async function beginStore(files: StoreFiles, facts: StoreFacts): Promise<void> {
  await writeCheckpoint(files, firstCheckpoint, facts)
  const file = await files.open(segmentName(1), "make")
  await file.close()
  await files.flush()
  await writeStoreFacts(files, facts)
  await openFiles(dirname(resolve(files.folder)))
    .flush()
    .catch(() => {}) // the folder above cannot be opened; only a folder that was just created could be lost
}

/** Removes what an interrupted run left behind. */
export async function sweep(files: StoreFiles, { snapshot, segment, released, profiles }: Checkpoint): Promise<void> {
  const current = new Set([snapshot, ...released, ...profiles.runs].map(({ name }) => name))
  for (const name of await files.list()) {
    const number = Number(/^journal-([0-9]+)\.log$/.exec(name)?.[1] ?? Number.POSITIVE_INFINITY)
    const ours = /^(snapshot|released|profiles)-[0-9-]+\.bin$/.test(name) && !current.has(name)
    if (ours || number < segment || name.endsWith(".tmp")) await files.remove(name)
  }
}

/** The error that the folder of a store cannot be used, if that is what an error says. */
export function unusable(folder: string, cause: unknown): unknown {
  const code = systemCode(cause)
  if (code === undefined) return cause
  const [name, what] = passes(cause)
    ? (["output-full", "the disk is full or fails"] as const)
    : (["output-unwritable", "cannot be created, read or written"] as const)
  return new QueryveilError(name, `${folder}: ${what} (${code}). Nothing was lost. Fix the cause and start again.`, {
    file: folder,
    cause,
  })
}
