import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { readFile, stat } from "node:fs/promises"
import { writeFileWhole } from "../../files/write-file.ts"
import { QueryveilError, systemCode } from "../../kernels/error.ts"

const digest = (text: string) => createHash("sha256").update(text).digest()

/**
 * Returns a function that is true if a request's `Authorization: Bearer …` is one of the tokens. It takes the same time
 * whatever is given.
 */
export function tokenCheck(tokens: readonly string[]): (authorization: string | undefined) => boolean {
  const known = tokens.map(digest)
  return (authorization) => {
    const given = digest(/^Bearer +(\S+)\s*$/i.exec(authorization ?? "")?.[1] ?? "")
    let found = false
    for (const token of known) found = timingSafeEqual(token, given) || found
    return found
  }
}

/** Reads a token that the operator wrote into a file. */
export async function readToken(path: string, flag: string): Promise<string> {
  let text: string
  try {
    text = (await readFile(path, "utf8")).trim()
  } catch (cause) {
    throw new QueryveilError("input-unreadable", `${flag} ${path}: cannot be read (${systemCode(cause)}).`, {
      file: path,
      flag,
    })
  }
  if (/^\S{16,}$/.test(text)) return text
  throw new QueryveilError(
    "option-value",
    `${flag} ${path}: a token is one word of at least 16 characters, for example from openssl rand -hex 32.`,
    { file: path, flag },
  )
}

/** Reads a token from a file. If there is none, writes a new token to a file that only its owner can read. */
export async function readOrWriteToken(path: string, flag: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    (error) => systemCode(error) !== "ENOENT",
  )
  if (!isThere) {
    const text = `${randomBytes(24).toString("base64url")}\n`
    // Workers that start together may share the file: the first one writes it, and all read it.
    await writeFileWhole(path, text, { mode: 0o600, replace: false }).catch((error) => {
      if (!(error instanceof QueryveilError && error.code === "output-exists")) throw error
    })
  }
  return readToken(path, flag)
}

/** Writes a new secret for this run to a file that only its owner can read. */
export async function writeToken(path: string): Promise<string> {
  const token = randomBytes(24).toString("base64url")
  await writeFileWhole(path, `${token}\n`, { mode: 0o600 })
  return token
}
