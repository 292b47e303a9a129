import { readFile, readlink, realpath } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { type Static, Type, Value } from "#typebox"
import { waitForLock } from "../files/lock.ts"
import { writeError } from "../files/write-error.ts"
import { writeFileWhole } from "../files/write-file.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { units } from "../log/search-log.ts"

const exact = Type.String({ pattern: "^[0-9]+(/[1-9][0-9]*)?$" })

/** The cost of one release, or of a run that failed after it had drawn noise. */
const spentSchema = Type.Object({
  release: Type.String(),
  epsilon: exact,
  delta: exact,
  created: Type.String(),
  /** Unknown for a release of version 0.1 under a name chosen by the owner. */
  unit: Type.Optional(Type.Enum([...units])),
})

const accountSchema = Type.Object({
  budget: exact,
  /** The budget of δ. Version 0.1 had none. */
  deltaBudget: Type.Optional(exact),
  spent: Type.Array(spentSchema),
})

/**
 * What was spent of each log, by fingerprint or by the owner's name for it. Format version 1 belongs to release 0.1,
 * which did not count δ. It must not read newer ledgers, so the version number was raised.
 */
const ledgerSchema = Type.Object(
  { queryveil: Type.Union([Type.Literal(1), Type.Literal(2)]), logs: Type.Record(Type.String(), accountSchema) },
  { additionalProperties: false },
)

export type Ledger = Static<typeof ledgerSchema>
/** What was spent of one log, and its budgets. */
export type Account = Static<typeof accountSchema>

/** The ledger in a file; an empty one if there is no file. Throws if the file is not a ledger. */
export async function readLedger(file: string): Promise<Ledger> {
  let text: string
  try {
    text = await readFile(file, "utf8")
  } catch (error) {
    if (systemCode(error) === "ENOENT") return { queryveil: 2, logs: {} }
    throw broken(file, `cannot be read (${systemCode(error)})`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw broken(file, "is not JSON")
  }
  if (!Value.Check(ledgerSchema, value)) throw broken(file, "is not a ledger of queryveil")
  return value
}

function broken(file: string, what: string): QueryveilError {
  return new QueryveilError("ledger-broken", `${file}: ${what}. It was not overwritten.`, { file })
}

/**
 * The file behind symbolic links, even if it does not exist yet. A write to a link would replace the link: each name
 * would have a ledger and a budget of its own.
 */
async function followLinks(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch (error) {
    const target = systemCode(error) === "ENOENT" ? await readlink(file).catch(() => undefined) : undefined
    return target === undefined ? file : followLinks(resolve(dirname(file), target))
  }
}

/** Changes a ledger while no other process does. If `change` throws, the ledger stays as it was. */
export async function changeLedger<T>(
  named: string,
  change: (ledger: Ledger) => { ledger: Ledger; result: T },
): Promise<T> {
  const file = await followLinks(named)
  const release = await lockLedger(file)
  try {
    const { ledger, result } = change(await readLedger(file))
    await writeFileWhole(file, `${JSON.stringify(ledger, null, 2)}\n`, { mode: 0o600 })
    return result
  } finally {
    await release()
  }
}

/** The kernel releases the lock when a process ends in any way, so a killed run blocks nobody. */
function lockLedger(file: string): Promise<() => Promise<void>> {
  const busy = () =>
    new QueryveilError("ledger-busy", `${file}: another run holds the ledger. Wait until it is done, then run again.`, {
      file,
    })
  return waitForLock(`${file}.lock.duckdb`, { place: "the ledger", busy }).catch((error) => {
    throw writeError(file, error)
  })
}
