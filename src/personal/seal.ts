import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { QueryveilError } from "../kernels/error.ts"

/**
 * A sealed file: a header of 80 bytes, the content encrypted with AES-256-GCM, and its tag of 16 bytes. The header is
 * authenticated with the content.
 *
 *    0  `qvprofil`            8  format (1)      9  log2 N    10  r    11  p       scrypt, RFC 7914
 *   12  salt, 16 bytes       28  nonce, 12 bytes, fresh for each write
 *   40  check, 16 bytes: scrypt output beyond the key; distinguishes a wrong passphrase from altered content
 *   56  length of the content, 8 bytes, little-endian
 *   64  first 16 bytes of the SHA-256 of all before: distinguishes accidental header damage from a wrong passphrase
 */
const magic = Buffer.from("qvprofil", "latin1")
const format = 1
const at = { format: 8, cost: 9, salt: 12, nonce: 28, check: 40, length: 56, digest: 64 } as const
const headerSize = 80
const tagSize = 16
const cipher = "aes-256-gcm"

/** N = 2^17, r = 8, p = 1: each guess costs 128 MiB and a good part of a second. */
export const usualCost: ScryptCost = { logN: 17, r: 8, p: 1 }
/**
 * A file may be hostile: weaker costs are refused, and so are costs that take more than 1 GiB or eight times as long.
 */
const bounds = { logN: [17, 20], r: [8, 8], p: [1, 4] } as const

/** The cost of deriving a key from a passphrase: scrypt with N = 2^logN. */
export interface ScryptCost {
  logN: number
  r: number
  p: number
}

/** The key derived from a passphrase. Keep it in memory while the file is open: writing again then needs no scrypt. */
export interface SealKey {
  readonly cost: ScryptCost
  readonly salt: Buffer
  readonly key: Buffer
  readonly check: Buffer
}

/** A key for a new file. */
export function newKey(passphrase: string): Promise<SealKey> {
  return deriveKey(passphrase, { cost: usualCost, salt: randomBytes(16) })
}

async function deriveKey(passphrase: string, { cost, salt }: Pick<SealKey, "cost" | "salt">): Promise<SealKey> {
  const text = passphrase.normalize("NFKC")
  if (text === "") throw new QueryveilError("profile-passphrase", "The passphrase is empty. Give one.")
  const { logN, r, p } = cost
  const N = 2 ** logN
  const options = { N, r, p, maxmem: 128 * r * (N + p + 2) + (1 << 20) }
  const derived = await new Promise<Buffer>((resolve, reject) => {
    scrypt(text, salt, 48, options, (error, bytes) => (error === null ? resolve(bytes) : reject(error)))
  })
  return { cost, salt, key: derived.subarray(0, 32), check: derived.subarray(32) }
}

/** Encrypts a content into a file, with a fresh random nonce. */
export function seal(content: Uint8Array, { cost, salt, key, check }: SealKey): Buffer {
  const header = Buffer.alloc(headerSize)
  const nonce = randomBytes(12)
  magic.copy(header)
  header.set([format, cost.logN, cost.r, cost.p], at.format)
  salt.copy(header, at.salt)
  nonce.copy(header, at.nonce)
  check.copy(header, at.check)
  header.writeBigUInt64LE(BigInt(content.length), at.length)
  digestOf(header).copy(header, at.digest)
  const encryption = createCipheriv(cipher, key, nonce).setAAD(header)
  return Buffer.concat([header, encryption.update(content), encryption.final(), encryption.getAuthTag()])
}

/**
 * The content of a sealed file, and the key to write it again. Errors distinguish, as far as possible: not a profile,
 * cut off, header damaged, wrong passphrase, content altered. A deliberate change of the header and its digest looks
 * like a wrong passphrase. Nobody can make a content that is accepted without knowing the passphrase.
 */
export async function unseal(
  file: Buffer,
  options: { passphrase: string; path: string },
): Promise<{ content: Buffer; key: SealKey }> {
  const { passphrase, path } = options
  const broken = (what: string) => new QueryveilError("profile-broken", `${path}: ${what}`, { file: path })
  if (!file.subarray(0, magic.length).equals(magic.subarray(0, file.length)) || file.length === 0)
    throw broken("is not a profile. Check the path.")
  if (file.length < headerSize) throw broken(`is cut off after ${file.length} bytes. Restore it from a copy.`)
  const header = file.subarray(0, headerSize)
  if (!digestOf(header).equals(header.subarray(at.digest)))
    throw broken("is damaged in its header. Restore it from a copy.")
  if (header[at.format] !== format)
    throw broken(`has format ${header[at.format]}. This version of queryveil reads format ${format}.`)
  const cost = { logN: header[at.cost], r: header[at.cost + 1], p: header[at.cost + 2] }
  for (const name of ["logN", "r", "p"] as const) {
    const [least, most] = bounds[name]
    if (cost[name] < least || cost[name] > most)
      throw broken(
        `asks for scrypt with ${name} = ${cost[name]}, which is not from ${least} to ${most}. It was not opened.`,
      )
  }
  const length = header.readBigUInt64LE(at.length)
  const end = BigInt(headerSize) + length + BigInt(tagSize)
  if (BigInt(file.length) < end) throw broken(`is cut off: ${file.length} of ${end} bytes. Restore it from a copy.`)
  if (BigInt(file.length) > end)
    throw broken(`has ${BigInt(file.length) - end} bytes too many. Restore it from a copy.`)
  const salt = Buffer.from(header.subarray(at.salt, at.nonce))
  const key = await deriveKey(passphrase, { cost, salt })
  if (!timingSafeEqual(key.check, header.subarray(at.check, at.length)))
    throw new QueryveilError("profile-passphrase", `${path}: the passphrase is wrong.`, { file: path })
  const decryption = createDecipheriv(cipher, key.key, header.subarray(at.nonce, at.check))
  decryption.setAAD(header).setAuthTag(file.subarray(file.length - tagSize))
  try {
    const content = decryption.update(file.subarray(headerSize, file.length - tagSize))
    return { content: Buffer.concat([content, decryption.final()]), key }
  } catch (cause) {
    throw new QueryveilError("profile-broken", `${path}: its content was altered. Restore it from a copy.`, {
      file: path,
      cause,
    })
  }
}

/** Distinguishes one write of a file from every other. */
export const nonceOf = (file: Buffer): Buffer => Buffer.from(file.subarray(at.nonce, at.check))

function digestOf(header: Buffer): Buffer {
  return createHash("sha256").update(header.subarray(0, at.digest)).digest().subarray(0, 16)
}
