import { constants } from "node:fs"
import { open, readFile, stat } from "node:fs/promises"
import { QueryveilError, systemCode } from "../../kernels/error.ts"
import type { RandomSource } from "../../kernels/random.ts"
import { type DealingSecret, drawSecret } from "../../swapper/dealing-secret.ts"

const flag = "--secret"
const keyForm = /^[0-9a-f]{64}$/i

/** The secrets of a group of workers. The first is version 1, and each replaced the one before. */
export class WorkerSecrets {
  readonly #keys: readonly Uint8Array[]

  constructor(keys: readonly Uint8Array[]) {
    this.#keys = keys
  }

  get latest(): number {
    return this.#keys.length
  }

  /** The secret of a version. Throws if there is none. */
  of(version: number): DealingSecret {
    const key = this.#keys[version - 1]
    if (key !== undefined) return { key, version }
    throw new QueryveilError(
      "kafka-state",
      `${flag}: the group of workers uses version ${version} of its secret. Add it to the file as line ${version}.`,
      { flag },
    )
  }
}

/** Reads the secrets of a group of workers, one a line. The file must be readable by its owner alone. */
export async function readSecrets(path: string): Promise<WorkerSecrets> {
  const mode = await stat(path).catch((cause) => {
    throw new QueryveilError("option-value", `${flag} ${path}: cannot be read (${systemCode(cause)}).`, { flag, cause })
  })
  if ((mode.mode & 0o077) !== 0)
    throw new QueryveilError("option-value", `${flag} ${path}: others can read it. Run chmod 600 on it.`, { flag })
  const lines = (await readFile(path, "utf8")).trim().split(/\r?\n/)
  const wrong = lines.findIndex((line) => !keyForm.test(line))
  if (wrong < 0) return new WorkerSecrets(lines.map((line) => Buffer.from(line, "hex")))
  throw new QueryveilError(
    "option-value",
    `${flag} ${path}, line ${wrong + 1}: is not a secret. A secret has 64 hex digits.`,
    { flag, line: wrong + 1 },
  )
}

/** As `readSecrets`, but draws a secret and writes the file if there is none. */
export async function readOrDrawSecrets(
  path: string,
  random: RandomSource,
): Promise<{ secrets: WorkerSecrets; isNew: boolean }> {
  const secret = drawSecret(random)
  try {
    const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600)
    try {
      await file.writeFile(`${Buffer.from(secret.key).toString("hex")}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    return { secrets: new WorkerSecrets([secret.key]), isNew: true }
  } catch (error) {
    if (systemCode(error) === "EEXIST") return { secrets: await readSecrets(path), isNew: false }
    throw new QueryveilError("option-value", `${flag} ${path}: cannot be written (${systemCode(error)}).`, {
      flag,
      cause: error,
    })
  }
}
