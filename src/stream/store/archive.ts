import { createHmac } from "node:crypto"
import { constants } from "node:fs"
import { copyFile, link, mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { type Static, Type, Value } from "#typebox"
import { openFiles, readWhole, type StoreFiles, writeWhole } from "../../files/folder-files.ts"
import { closeFolder } from "../../files/private-folder.ts"
import { QueryveilError, systemCode } from "../../kernels/error.ts"
import { segmentName } from "./journal.ts"
import type { Checkpoint, StoreFacts } from "./store-facts.ts"
import { secretsOf } from "./store-secrets.ts"

const whole = Type.Integer({ minimum: 0 })

const aboutSchema = Type.Object(
  {
    queryveilStreamAudit: Type.Literal(1),
    /** Identifies the store, without its key. */
    store: Type.String(),
    mode: Type.Enum(["strict", "paper"]),
    taxonomy: Type.String(),
    seed: whole,
    dealing: Type.Optional(Type.Object({ version: whole, key: Type.String({ pattern: "^[0-9a-f]{64}$" }) })),
  },
  { additionalProperties: false },
)

/** The description of a stream's audit, stored in its folder. */
export interface ArchiveFacts {
  queryveilStreamAudit: 1
  /** Identifies the store. */
  store: string
  mode: "strict" | "paper"
  /** Fingerprint of the taxonomy. */
  taxonomy: string
  /** Seed of the checksums of its journals. */
  seed: number
  /** The secret under which all cells of the store were dealt, in hex. Absent if an earlier version dealt some. */
  dealing?: { version: number; key: string }
}

const stretchSchema = Type.Object(
  {
    segment: Type.Integer({ minimum: 1 }),
    cells: whole,
    releases: whole,
    settings: Type.String(),
    snapshot: Type.Object({ name: Type.String(), bytes: whole, records: whole }),
    /** Number of closed cells, by category. Absent in an audit of an earlier version. */
    counts: Type.Optional(Type.Array(Type.Tuple([whole, whole]))),
  },
  { additionalProperties: false },
)

/** A sequence of journals without a gap: the number of the first, and the state of the store before it. */
export type Stretch = Static<typeof stretchSchema>

const aboutName = "stream-audit.json"
const stretchName = (segment: number) => `before-${segment}.json`
const waitingName = (segment: number) => `waiting-${segment}.bin`

/**
 * The audit of a stream: the journals that its store no longer needs. They say for every release which search it is and
 * whose name it shows. They are the store's own files, so they agree with what was released after every crash. A
 * stretch of journals begins with what waited before it. After a run without the audit, a new stretch begins.
 */
export class Archive {
  readonly #files: StoreFiles

  private constructor(files: StoreFiles) {
    this.#files = files
  }

  /**
   * Opens the folder of an audit, or creates one. Refuses the audit of another store, and a folder with other content.
   */
  static async open(folder: string, facts: StoreFacts, seed: number): Promise<Archive> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const files = openFiles(folder)
    const about: ArchiveFacts = {
      queryveilStreamAudit: 1,
      store: createHmac("sha256", Buffer.from(facts.key, "hex")).update("queryveil audit of a stream").digest("hex"),
      mode: facts.mode,
      taxonomy: facts.taxonomy,
      seed,
      ...(facts.dealing !== undefined && { dealing: writtenSecret(facts) }),
    }
    const found = await readArchiveFacts(files)
    if (found === undefined) {
      if ((await files.list()).some((name) => !name.endsWith(".tmp"))) throw foreign(folder, "is not empty")
      await closeFolder(folder)
      await writeWhole(files, aboutName, `${JSON.stringify(about)}\n`)
    } else if (found.store !== about.store) throw foreign(folder, "is the audit of another store")
    return new Archive(files)
  }

  /**
   * Call before the store deletes anything: keeps the journals that the store no longer needs, and begins a new stretch
   * if there is a gap.
   */
  async takeUp(store: StoreFiles, checkpoint: Checkpoint): Promise<void> {
    const done = (await segmentsIn(store)).filter((segment) => segment < checkpoint.segment)
    if (await this.#goesOn(done[0] ?? checkpoint.segment)) for (const segment of done) await this.keep(store, segment)
    if (await this.#goesOn(checkpoint.segment)) return
    const { segment, snapshot, boundary } = checkpoint
    const stretch: Stretch = {
      segment,
      cells: boundary.totals.cells ?? 0,
      releases: boundary.output.releases,
      settings: boundary.settings,
      snapshot: { ...snapshot, name: snapshot.name === "" ? "" : waitingName(segment) },
      counts: boundary.cells ?? [],
    }
    if (snapshot.name !== "") await this.#copy(join(store.folder, snapshot.name), stretch.snapshot.name)
    await writeWhole(this.#files, stretchName(segment), `${JSON.stringify(stretch)}\n`)
  }

  /** Keeps a closed journal. Calling it again is harmless. */
  async keep(store: StoreFiles, segment: number): Promise<void> {
    const [from, to] = [join(store.folder, segmentName(segment)), join(this.#files.folder, segmentName(segment))]
    await link(from, to).catch(async (error) => {
      const code = systemCode(error)
      if (code === "ENOENT") return this.#requireKept(segment, error)
      if (code !== "EEXIST") await this.#copy(from, segmentName(segment)) // another disk, or one without links
    })
    await this.#files.flush()
  }

  /** True if the journal with this number directly follows what is kept. */
  async #goesOn(segment: number): Promise<boolean> {
    const kept = new Set(await segmentsIn(this.#files))
    return kept.has(segment - 1) || (await this.#files.list()).includes(stretchName(segment))
  }

  async #requireKept(segment: number, error: unknown): Promise<void> {
    if (!(await segmentsIn(this.#files)).includes(segment)) throw error
  }

  async #copy(from: string, name: string): Promise<void> {
    const [temporary, to] = [`${name}.tmp`, name].map((part) => join(this.#files.folder, part))
    await rm(temporary, { force: true })
    await copyFile(from, temporary, constants.COPYFILE_EXCL)
    const file = await open(temporary, "r+")
    try {
      await file.chmod(0o600)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, to)
  }
}

function writtenSecret(facts: StoreFacts): { version: number; key: string } {
  const { version, key } = secretsOf(facts).dealing
  return { version, key: Buffer.from(key).toString("hex") }
}

/** The description of an audit; undefined if the folder has none. */
export async function readArchiveFacts(files: StoreFiles): Promise<ArchiveFacts | undefined> {
  const value = parse(await readWhole(files, aboutName))
  return Value.Check(aboutSchema, value) ? value : undefined
}

/** The stretches of an audit, in order, each with the sizes of its journals. */
export async function readStretches(files: StoreFiles): Promise<(Stretch & { lengths: number[] })[]> {
  const kept = new Set(await segmentsIn(files))
  const names = (await files.list()).filter((name) => /^before-\d+\.json$/.test(name))
  const stretches: Stretch[] = []
  for (const name of names) {
    const value = parse(await readWhole(files, name))
    if (!Value.Check(stretchSchema, value)) throw foreign(files.folder, `has a broken ${name}`)
    stretches.push(value)
  }
  stretches.sort((a, b) => a.segment - b.segment)
  const found: (Stretch & { lengths: number[] })[] = []
  for (const [i, stretch] of stretches.entries()) {
    const end = stretches[i + 1]?.segment ?? Number.POSITIVE_INFINITY
    const lengths: number[] = []
    for (let segment = stretch.segment; segment < end && kept.has(segment); segment++)
      lengths.push(await sizeOf(files, segmentName(segment)))
    found.push({ ...stretch, lengths })
  }
  return found
}

async function segmentsIn(files: StoreFiles): Promise<number[]> {
  const numbers = (await files.list()).flatMap((name) => /^journal-(\d+)\.log$/.exec(name)?.[1] ?? [])
  return numbers.map(Number).sort((a, b) => a - b)
}

async function sizeOf(files: StoreFiles, name: string): Promise<number> {
  const file = await files.open(name, "read")
  try {
    return await file.size()
  } finally {
    await file.close()
  }
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const foreign = (folder: string, what: string) =>
  new QueryveilError(
    "store-foreign",
    `${folder}: ${what}. Give the folder that --audit of this stream wrote, or a new one.`,
    {
      file: folder,
    },
  )
