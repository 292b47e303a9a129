import { createHmac } from "node:crypto"
import { type Hmac, hmacUnder } from "../../kernels/hmac.ts"
import { pseudonymBytes, writePseudonym } from "../../kernels/pseudonyms.ts"
import type { LiveRecords } from "./live-records.ts"

/**
 * How long the name of a user lasts: for one cell, for a day (UTC) of the time shown, or for ever. `drop`: no name is
 * shown. `keep`: the log's own id is shown.
 */
export const nameLifetimes = ["cell", "day", "pseudonym", "drop", "keep"] as const
/** One of `nameLifetimes`. */
export type NameLifetime = (typeof nameLifetimes)[number]

/** Values of `users` that other commands may accept but a stream refuses, and why. */
export const refusedLifetimes = {
  session: "a worker that owns one category cannot see a user's sessions. Use cell or day.",
}

const daySeconds = 86_400
/** The UTC day of a time in seconds. */
export const dayOf = (time: number) => Math.floor(time / daySeconds)

/** Number of names in one SHA-512 digest. */
const namesPerDigest = 8

/**
 * The names under which users are shown: `u` and sixty bits of an HMAC. They are derived from the store's key and from
 * the content of its journal, so that a release that is written again after a crash has the same name.
 *
 * - cell: HMAC-SHA512 of the number of the cell and of the user's place in the order in which the cell leaves. The user
 *   is not an input: not even the key leads from the name to the user. Cell numbers are never reused in a store.
 * - day: HMAC-SHA256 of the day and the user.
 * - pseudonym: HMAC-SHA256 of the user, under the store's key itself, as in version 0.1.
 *
 * Each kind but the last has its own key, derived from the store's key, so names of two kinds agree only by chance.
 */
export class UserNames {
  readonly #records: LiveRecords
  readonly #keys: { day: Buffer; pseudonym: Buffer }
  readonly #digestOfCell: Hmac
  #lifetime: NameLifetime = "cell"
  // By user: the name, and the generation and day that it is valid for.
  #bytes = new Uint8Array(pseudonymBytes * 64)
  #generation = new Int32Array(64)
  #day = new Int32Array(64)
  // The current cell: its number, the digest from which the next names are cut, and the user named last.
  readonly #cell = Buffer.alloc(12)
  readonly #digest = Buffer.alloc(8 * namesPerDigest)
  #named = 0
  #lastUser = -1
  readonly #cellName = new Uint8Array(pseudonymBytes)

  /** With `cellScope`, cells of the same number in another scope have other names. */
  constructor(records: LiveRecords, { key, cellScope = "" }: { key: Buffer; cellScope?: string | undefined }) {
    this.#records = records
    const derive = (what: string) => createHmac("sha256", key).update(`queryveil names of a ${what}`).digest()
    this.#keys = { day: derive("day"), pseudonym: key }
    this.#digestOfCell = hmacUnder(derive(`cell${cellScope}`), "sha512")
  }

  /** Sets the lifetime until the next call. */
  use(lifetime: NameLifetime): void {
    if (lifetime !== this.#lifetime) this.#generation.fill(0) // cached names are of another kind
    this.#lifetime = lifetime
  }

  /** The users named next belong to the cell with this number. */
  openCell(number: number): void {
    this.#cell.writeDoubleLE(number)
    this.#named = 0
    this.#lastUser = -1
  }

  /**
   * The name of a user at this time, in the cell that was opened last; valid until the next call. Records that a cell
   * shows under one user must come consecutively.
   */
  find(user: number, time: number): Uint8Array {
    if (this.#lifetime === "cell") return this.#nameInCell(user)
    const { users } = this.#records
    const day = this.#lifetime === "day" ? dayOf(time) : 0
    if (user >= this.#generation.length) this.#grow(users.ids)
    const name = this.#bytes.subarray(user * pseudonymBytes, (user + 1) * pseudonymBytes)
    if (this.#generation[user] === users.generation(user) && this.#day[user] === day) return name
    const hmac = createHmac("sha256", this.#lifetime === "day" ? this.#keys.day : this.#keys.pseudonym)
    if (this.#lifetime === "day") hmac.update(Int32Array.of(day))
    writeName(hmac.update(users.bytes(user)).digest(), 0, name)
    this.#generation[user] = users.generation(user)
    this.#day[user] = day
    return name
  }

  #nameInCell(user: number): Uint8Array {
    if (user === this.#lastUser) return this.#cellName
    const place = this.#named % namesPerDigest
    if (place === 0) {
      this.#cell.writeUInt32LE(this.#named / namesPerDigest, 8)
      this.#digest.write(this.#digestOfCell(this.#cell), "latin1")
    }
    writeName(this.#digest, place * 8, this.#cellName)
    this.#named++
    this.#lastUser = user
    return this.#cellName
  }

  #grow(least: number): void {
    const length = Math.max(least, this.#generation.length * 2)
    const bytes = new Uint8Array(length * pseudonymBytes)
    const generation = new Int32Array(length)
    const day = new Int32Array(length)
    bytes.set(this.#bytes)
    generation.set(this.#generation)
    day.set(this.#day)
    this.#bytes = bytes
    this.#generation = generation
    this.#day = day
  }
}

/** The two words of the name that is being written. One object serves all names. */
const drawn = { high: new Uint32Array(1), low: new Uint32Array(1) }

function writeName(digest: Buffer, at: number, name: Uint8Array): void {
  drawn.high[0] = digest.readUInt32LE(at)
  drawn.low[0] = digest.readUInt32LE(at + 4)
  writePseudonym(drawn, 0, name)
}
