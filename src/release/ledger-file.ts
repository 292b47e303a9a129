import { readFile } from "node:fs/promises"
import { type Static, Type, Value } from "#typebox"
import { waitForLock } from "../files/lock.ts"
import { writeError } from "../files/write-error.ts"
import { writeFileWhole } from "../files/write-file.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { units } from "../log/search-log.ts"

const exact = Type.String({ pattern: "^[0-9]+(/[1-9][0-9]*)?$" })

/** What one release cost, or a run that failed after it had drawn noise. */
const spentSchema = Type.Object({
  release: Type.String(),
  epsilon: exact,
  delta: exact,
  created: Type.String(),
  /** Unknown of a release of version 0.1 under a name of the owner's. */
  unit: Type.Optional(Type.Enum([...units])),
})

const accountSchema = Type.Object({
  budget: exact,
  /** Of δ. Version 0.1 had none. */
  deltaBudget: Type.Optional(exact),
  spent: Type.Array(spentSchema),
})

/**
 * What was spent of each log, by fingerprint or by the owner's name for it. Version 1 is of 0.1, which would not count δ:
 * it must not read what is written now, so that the number goes up.
 */
const ledgerSchema = Type.Object(
  { queryveil: Type.Union([Type.Literal(1), Type.Literal(2)]), logs: Type.Record(Type.String(), accountSchema) },
  { additionalProperties: false },
)

export type Ledger = Static<typeof ledgerSchema>
/** What was spent of one log, and what may be. */
export type Account = Static<typeof accountSchema>

/** The ledger in a file; an empty one where there is no file. What is none is never taken for one. */
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
  if (!Value.Check(ledgerSchema, value)) throw broken(file, "is no ledger of queryveil")
  return value
}

function broken(file: string, what: string): QueryveilError {
  return new QueryveilError("ledger-broken", `${file}: ${what}. It is not written over.`, { file })
}

/** Changes a ledger while no other process does; what `change` throws leaves it as it was. */
export async function changeLedger<T>(
  file: string,
  change: (ledger: Ledger) => { ledger: Ledger; result: T },
): Promise<T> {
  const release = await lockLedger(file)
  try {
    const { ledger, result } = change(await readLedger(file))
    await writeFileWhole(file, `${JSON.stringify(ledger, null, 2)}\n`, { mode: 0o600 })
    return result
  } finally {
    await release()
  }
}

/** The kernel lets the lock go when a process ends, however it ends: a killed run blocks nobody. */
function lockLedger(file: string): Promise<() => Promise<void>> {
  const busy = () =>
    new QueryveilError("ledger-busy", `${file}: another run holds the ledger. Wait until it is done, then run again.`, {
      file,
    })
  return waitForLock(`${file}.lock.duckdb`, { place: "the ledger", busy }).catch((error) => {
    throw writeError(file, error)
  })
}
