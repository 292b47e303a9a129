import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto"
import { QueryveilError } from "../../kernels/error.ts"
import type { WorkerSecrets } from "./secret-file.ts"

/** A value begins with the version of this form, and the version of the secret. */
const form = 1
const nonceBytes = 12
const tagBytes = 16
const nonceAt = 5
const textAt = nonceAt + nonceBytes

/**
 * Encrypts the values of one partition of a changelog: AES-256-GCM with a random nonce. The key of a message is
 * authenticated with its value, and each partition has an encryption key of its own. So a value cannot be passed off as
 * that of another message or partition.
 */
export class StateSeal {
  readonly #secrets: WorkerSecrets
  readonly #place: string
  readonly #keys = new Map<number, Buffer>()

  /** `place` names the partition, also in the error that a value cannot be opened. */
  constructor(secrets: WorkerSecrets, place: string) {
    this.#secrets = secrets
    this.#place = place
  }

  /** Encrypts the value of a message under this version of the secret. */
  seal(key: string, value: Uint8Array, version: number): Buffer {
    const head = Buffer.alloc(nonceAt)
    head[0] = form
    head.writeUInt32LE(version, 1)
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv("aes-256-gcm", this.#keyOf(version), nonce).setAAD(Buffer.from(key))
    return Buffer.concat([head, nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()])
  }

  open(key: string, sealed: Buffer): Buffer {
    try {
      if (sealed[0] !== form || sealed.length < textAt + tagBytes) throw new Error("another form")
      const cipher = createDecipheriv(
        "aes-256-gcm",
        this.#keyOf(this.versionOf(sealed)),
        sealed.subarray(nonceAt, textAt),
      )
      cipher.setAAD(Buffer.from(key)).setAuthTag(sealed.subarray(sealed.length - tagBytes))
      const opened = cipher.update(sealed.subarray(textAt, sealed.length - tagBytes))
      return Buffer.concat([opened, cipher.final()])
    } catch (cause) {
      if (cause instanceof QueryveilError) throw cause
      throw new QueryveilError(
        "kafka-state",
        `${this.#place}: a message cannot be decrypted. Start all workers with the secret that the topics began with.`,
        { cause },
      )
    }
  }

  /** The version of the secret under which a value was encrypted. */
  versionOf(sealed: Buffer): number {
    return sealed.readUInt32LE(1)
  }

  #keyOf(version: number): Buffer {
    const known = this.#keys.get(version)
    if (known !== undefined) return known
    const { key: secret } = this.#secrets.of(version)
    const key = createHmac("sha256", secret).update(`queryveil changelog ${this.#place}`).digest()
    this.#keys.set(version, key)
    return key
  }
}
