import { passes, type StoreFiles } from "../../files/folder-files.ts"
import type { Archive } from "./archive.ts"
import type { BooksKeeper } from "./bookkeeper.ts"
import type { Frame } from "./frame.ts"
import { type Journal, segmentName } from "./journal.ts"
import { type Books, isOfCheckpoint } from "./keep-books.ts"
import { putAside } from "./keep-profiles.ts"
import type { StoreOptions, StoreParts } from "./open-store.ts"
import type { JournalSegments } from "./read-journal.ts"
import type { Boundary, Recovered, StreamStore } from "./store.ts"
import { type Checkpoint, type StoreFacts, writeCheckpoint } from "./store-facts.ts"
import { type StoreSecrets, secretsOf } from "./store-secrets.ts"

/** Profiles are written once per checkpoint, so a longer journal writes fewer of them for each release. */
const leastJournal = 256 << 20
/** Every checkpoint writes a whole snapshot. The larger it is, the less often age alone makes the next one due. */
const largeSnapshot = 64 << 20
/**
 * A snapshot that finds no room frees what it took, and retries less and less often: the journal needs the room more.
 */
const [firstPause, longestPause] = [1000, 60_000]

/** An open store: new frames go to the journal, and checkpoints fold it into snapshots. */
export class LiveStore implements StreamStore {
  readonly key: Buffer
  readonly secrets: StoreSecrets
  readonly recovered: Recovered
  #at: {
    files: StoreFiles
    facts: StoreFacts
    journal: Journal
    options: Required<StoreOptions>
    parts: StoreParts
    unlock: () => Promise<void>
    archive: Archive | undefined
  }
  #checkpoint: Checkpoint
  #bookkeeper: BooksKeeper
  /** Closed segments after the checkpoint. */
  #closed: JournalSegments
  #making: Promise<void> | undefined
  #failure: { cause: unknown } | undefined
  /**
   * Journal bytes found at opening (0 after a checkpoint), bytes appended up to the last turn, and the time of that
   * turn.
   */
  #before = 0
  #appendedAtTurn = 0
  #since: number
  #checkpointedAt: number
  #isStalled = false
  /**
   * Lost profiles are rebuilt from the audit once, at the next checkpoint. What the audit lacks then, it lacks for
   * good.
   */
  #mayRebuild = true

  constructor(at: {
    files: StoreFiles
    facts: StoreFacts
    checkpoint: Checkpoint
    segments: JournalSegments
    journal: Journal
    recovered: Recovered
    options: Required<StoreOptions>
    parts: StoreParts
    unlock: () => Promise<void>
    archive: Archive | undefined
  }) {
    this.#at = at
    this.key = Buffer.from(at.facts.key, "hex")
    this.secrets = secretsOf(at.facts)
    this.recovered = at.recovered
    this.#checkpoint = at.checkpoint
    this.#bookkeeper = at.parts.bookkeeper()
    this.#closed = { first: at.segments.first, lengths: at.segments.lengths.slice(0, -1) }
    this.#before = at.segments.lengths.reduce((sum, length) => sum + length, 0)
    this.#since = at.options.now()
    this.#checkpointedAt = this.#since
  }

  get checkpointed(): { at: number; isStalled: boolean } {
    return { at: this.#checkpointedAt, isStalled: this.#isStalled }
  }

  append(frame: Frame): Promise<void> {
    return this.#at.journal.append(frame)
  }

  get journalBytes(): number {
    return this.#before + this.#at.journal.appended - this.#appendedAtTurn
  }

  get due(): boolean {
    if (this.#making !== undefined || this.#failure !== undefined || this.journalBytes === 0) return false
    const { now, checkpointSeconds } = this.#at.options
    this.#since = Math.min(this.#since, now()) // the clock was set back
    const patience = Math.max(1, this.#checkpoint.snapshot.bytes / largeSnapshot)
    const old = now() - this.#since >= checkpointSeconds * 1000 * patience
    return old || this.journalBytes >= Math.max(leastJournal, this.#checkpoint.snapshot.bytes)
  }

  checkpoint(boundary: Boundary, settle: () => Promise<void>): Promise<void> {
    if (this.#making !== undefined) throw new Error("A checkpoint is in progress.")
    const { journal, options } = this.#at
    this.#before = 0
    this.#appendedAtTurn = journal.appended
    this.#since = options.now()
    this.#making = this.#make(structuredClone(boundary), settle)
      .catch((cause) => {
        this.#failure = { cause }
        journal.fail(cause)
      })
      .finally(() => {
        this.#making = undefined
      })
    return this.#making
  }

  async settled(): Promise<void> {
    await this.#making
  }

  async close(): Promise<void> {
    const { journal, unlock } = this.#at
    try {
      await this.#making
      await journal.close()
    } finally {
      await this.#bookkeeper.close()
      await unlock()
    }
    if (this.#failure !== undefined) throw this.#failure.cause
  }

  async #make(boundary: Boundary, settle: () => Promise<void>): Promise<void> {
    const { files, journal, archive } = this.#at
    const old = this.#checkpoint
    const segment = await journal.turn()
    this.#closed.lengths.push(journal.closed)
    const number = old.number + 1
    const books = await this.#keepBooks(number)
    await settle()
    const checkpoint = { number, boundary, segment, ...books }
    await this.#persist(() => writeCheckpoint(files, checkpoint, this.#at.facts))
    this.#checkpoint = checkpoint
    this.#checkpointedAt = this.#at.options.now()
    this.#closed = { first: segment, lengths: [] }

    if (books.profiles.from > old.profiles.from) await putAside(files, old.profiles.runs)
    const kept = new Set(bookNames(books))
    const gone = bookNames(old).filter((name) => !kept.has(name))
    for (let i = old.segment; i < segment; i++) {
      await this.#persist(async () => archive?.keep(files, i))
      gone.push(segmentName(i))
    }
    for (const name of gone) await files.remove(name)
  }

  async #keepBooks(number: number): Promise<Books> {
    const { files, facts, options, parts } = this.#at
    const { snapshot, released, profiles, boundary } = this.#checkpoint
    const { remember } = options
    const audit = this.#mayRebuild ? options.audit : undefined
    const firstRelease = boundary.output.releases
    const about = { folder: files.folder, facts, segments: this.#closed, number, remember, firstRelease, audit }
    for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
      const reply = await this.#bookkeeper.keep({ ...about, snapshot, released, profiles })
      this.#stall(!("books" in reply))
      if ("books" in reply) {
        const { damage, ...books } = reply.books
        this.#mayRebuild = books.profiles.from > profiles.from // they were lost just now
        if (damage !== undefined) options.onDamage(damage)
        return books
      }
      for (const name of await files.list()) if (isOfCheckpoint(name, number)) await files.remove(name)
      await parts.pause(pause)
    }
  }

  #stall(isStalled: boolean): void {
    if (isStalled !== this.#isStalled) this.#at.options.onFull(isStalled, "checkpoint")
    this.#isStalled = isStalled
  }

  async #persist(step: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await step()
        return this.#stall(false)
      } catch (error) {
        if (!passes(error)) throw error
        this.#stall(true)
        await this.#at.parts.pause(firstPause)
      }
    }
  }
}

/** The files on which a checkpoint depends, without its journal. */
function bookNames({ snapshot, released, profiles }: Pick<Checkpoint, keyof Books>): string[] {
  const names = [snapshot, ...released, ...profiles.runs].map(({ name }) => name)
  return names.filter((name) => name !== "")
}
