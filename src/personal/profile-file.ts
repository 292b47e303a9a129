import { readFile, realpath, stat } from "node:fs/promises"
import { resolve } from "node:path"
import { waitForLock } from "../files/lock.ts"
import { sweepPartials } from "../files/partial-names.ts"
import { writeError } from "../files/write-error.ts"
import { writeFileWhole } from "../files/write-file.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { fileError } from "./file-error.ts"
import type { PersonalStore } from "./personal-store.ts"
import { newKey, nonceOf, type SealKey, seal, unseal } from "./seal.ts"
import { decodeStore, encodeStore } from "./store-json.ts"

/** Larger files are not read. Years of searching stay far below this. */
const mostBytes = 1 << 30

/**
 * A person's profile, sensitive topics, settings and exposure history in one encrypted file. Opening takes as long as
 * scrypt does. The key is kept while the file is open, so saving is cheap.
 */
export class ProfileFile {
  readonly path: string
  readonly store: PersonalStore
  readonly #key: SealKey
  /** Nonce of the file as last read or written here. */
  #nonce: Buffer | undefined
  #saving = Promise.resolve()

  private constructor(path: string, store: PersonalStore, options: { key: SealKey; nonce?: Buffer }) {
    this.path = path
    this.store = store
    this.#key = options.key
    this.#nonce = options.nonce
  }

  /** Creates a new file. It must not exist yet, unless `force` is set. */
  static async create(
    path: string,
    options: { passphrase: string; store: PersonalStore; force?: boolean },
  ): Promise<ProfileFile> {
    const isFree = async () => {
      const found = await stat(path).catch(() => undefined)
      if (found !== undefined && !(options.force === true && found.isFile()))
        throw new QueryveilError("output-exists", `${path}: already exists. Choose another name, or use --force.`, {
          file: path,
        })
    }
    await isFree() // before scrypt
    const file = new ProfileFile(path, options.store, { key: await newKey(options.passphrase) })
    await file.#write(isFree)
    return file
  }

  /** Opens an encrypted profile. Throws if the passphrase is wrong or the taxonomy lacks a topic of the profile. */
  static async open(path: string, options: { passphrase: string; taxonomy: Taxonomy }): Promise<ProfileFile> {
    const bytes = await readBytes(path)
    const { content, key } = await unseal(bytes, { passphrase: options.passphrase, path })
    const store = decodeStore(content.toString("utf8"), { taxonomy: options.taxonomy, file: path })
    return new ProfileFile(path, store, { key, nonce: nonceOf(bytes) })
  }

  /**
   * Writes the store as it is now, unless another process has written the file since it was read. Overwriting would
   * lose that process's changes, and with them exposures that count. Concurrent saves run one after another.
   */
  save(): Promise<void> {
    const saved = this.#saving.then(() => this.#write(() => this.#isUnchanged()))
    this.#saving = saved.catch(() => {}) // the caller gets the error
    return saved
  }

  async #write(confirm: () => Promise<void>): Promise<void> {
    const bytes = seal(Buffer.from(encodeStore(this.store)), this.#key)
    const target = await realpath(this.path).catch(() => resolve(this.path)) // keeps a symbolic link
    const unlock = await lockProfile(target)
    try {
      await confirm()
      await sweepPartials(target) // old states must not survive in partial files
      await writeFileWhole(target, bytes, { mode: 0o600 })
    } finally {
      await unlock()
    }
    this.#nonce = nonceOf(bytes)
  }

  async #isUnchanged(): Promise<void> {
    const { path } = this
    if (this.#nonce === undefined || nonceOf(await readBytes(path)).equals(this.#nonce)) return
    throw new QueryveilError("profile-changed", `${path}: was changed by another process. Open it again.`, {
      file: path,
    })
  }
}

function lockProfile(path: string): Promise<() => Promise<void>> {
  const busy = () =>
    new QueryveilError("profile-changed", `${path}: another process is writing it. Try again.`, { file: path })
  return waitForLock(`${path}.lock.duckdb`, { place: "the profile", busy }).catch((error) => {
    throw writeError(path, error)
  })
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path)
    if (size > mostBytes)
      throw new QueryveilError("profile-broken", `${path}: is too large for a profile (${size} bytes).`, { file: path })
    return await readFile(path)
  } catch (cause) {
    throw systemCode(cause) === undefined ? cause : fileError(path, cause)
  }
}
