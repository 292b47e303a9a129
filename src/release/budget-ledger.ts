import { createHash } from "node:crypto"
import { open, readFile, rm } from "node:fs/promises"
import { type Static, Type, Value } from "#typebox"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import type { Rational } from "../kernels/noise/rational.ts"
import { rationalOf } from "../kernels/noise/rational.ts"
import type { Intake } from "../log/intake.ts"
import { formatFraction, fraction, plus, zero } from "../methods/counts/fractions.ts"
import { writeError, writeFileWhole } from "./output.ts"

const exact = Type.String({ pattern: "^[0-9]+(/[1-9][0-9]*)?$" })

/** What was spent of each log, by fingerprint or by the owner's name for it. Private, mode 0600. */
const ledgerSchema = Type.Object(
  {
    queryveil: Type.Literal(1),
    logs: Type.Record(
      Type.String(),
      Type.Object({
        budget: exact,
        spent: Type.Array(
          Type.Object({ release: Type.String(), epsilon: exact, delta: exact, created: Type.String() }),
        ),
      }),
    ),
  },
  { additionalProperties: false },
)

type Ledger = Static<typeof ledgerSchema>

/** What a release costs. */
export interface Cost {
  release: string
  epsilon: string
  delta: string
  created: string
}

/** Which ledger, and which log in it. */
export interface LedgerPlace {
  file: string
  /** The log: its fingerprint, or a name of the owner's, for a log that grows. */
  log: string
  /** Decimal text; needed the first time, and then the same or left out. */
  budget?: string
}

/** What names a log that was not named: its bytes, however its files are called. */
export function fingerprintOf(intake: Intake): string {
  const digests = intake.files.map(({ sha256 }) => sha256).sort()
  return `sha256:${createHash("sha256")
    .update(`${intake.unit} ${digests.join(" ")}`)
    .digest("hex")}`
}

/** Refuses what the budget does not hold; for a look before the work begins. */
export async function checkBudget(place: LedgerPlace, epsilon: string): Promise<void> {
  const cost = { release: "", epsilon: formatFraction(decimal(epsilon, "--epsilon")), delta: "0", created: "" }
  addCost(await readLedger(place.file), place, cost)
}

/**
 * Writes a cost into the ledger, or refuses it when the budget does not hold it. Called before a release takes its place: a
 * crash in between leaves the cost spent, never a release unpaid. One process at a time holds the ledger.
 */
export async function spendBudget(place: LedgerPlace, cost: Cost): Promise<{ spent: string; budget: string }> {
  const lock = `${place.file}.lock`
  await takeLock(lock)
  try {
    const { ledger, ...left } = addCost(await readLedger(place.file), place, cost)
    await writeFileWhole(place.file, `${JSON.stringify(ledger, null, 2)}\n`, { mode: 0o600 })
    return left
  } finally {
    await rm(lock, { force: true })
  }
}

function addCost(ledger: Ledger, place: LedgerPlace, cost: Cost): { ledger: Ledger; spent: string; budget: string } {
  const held = Object.hasOwn(ledger.logs, place.log) ? ledger.logs[place.log] : undefined
  const given = place.budget === undefined ? undefined : formatFraction(decimal(place.budget, "--budget"))
  if (held === undefined && given === undefined)
    throw new QueryveilError("usage", `${place.file}: has no budget for this log yet. Say one with --budget.`, {
      flag: "--budget",
    })
  if (held !== undefined && given !== undefined && held.budget !== given)
    throw new QueryveilError(
      "budget-spent",
      `${place.file}: the budget of this log is ${held.budget}, not ${given}. Leave --budget out; to raise it is a decision to be made in the file.`,
      { file: place.file, flag: "--budget" },
    )
  const budget = held?.budget ?? given ?? "0"
  const spent = [...(held?.spent ?? []), cost]
  const sum = spent.map(({ epsilon }) => parse(epsilon)).reduce(plus, zero)
  const limit = parse(budget)
  if (sum.numerator * limit.denominator > limit.numerator * sum.denominator) {
    const before = (held?.spent ?? []).map(({ epsilon }) => parse(epsilon)).reduce(plus, zero)
    throw new QueryveilError(
      "budget-spent",
      `${place.file}: ${formatFraction(before)} of the budget ${budget} is spent; ε = ${cost.epsilon} more is not left. Nothing was released.`,
      { file: place.file },
    )
  }
  const logs = { ...ledger.logs, [place.log]: { budget, spent } }
  return { ledger: { queryveil: 1, logs }, spent: formatFraction(sum), budget }
}

async function readLedger(file: string): Promise<Ledger> {
  let text: string
  try {
    text = await readFile(file, "utf8")
  } catch (error) {
    if (systemCode(error) === "ENOENT") return { queryveil: 1, logs: {} }
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

const waits = 100
const waitMilliseconds = 50

async function takeLock(lock: string): Promise<void> {
  for (let i = 0; ; i++) {
    try {
      const file = await open(lock, "wx", 0o600)
      await file.close()
      return
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw writeError(lock, error)
    }
    if (i === waits)
      throw new QueryveilError(
        "ledger-busy",
        `${lock}: another run holds the ledger. If none is running, a run was killed: remove this file.`,
        { file: lock },
      )
    await new Promise((resolve) => setTimeout(resolve, waitMilliseconds))
  }
}

function decimal(text: string, flag: string): Rational {
  try {
    return rationalOf(text)
  } catch (cause) {
    throw new QueryveilError("option-value", `${flag} ${text}: expected a number of at least 0.`, { flag, cause })
  }
}

function parse(text: string): Rational {
  const [top, bottom = 1n] = text.split("/").map(BigInt)
  return fraction(top, bottom)
}

function broken(file: string, what: string): QueryveilError {
  return new QueryveilError("ledger-broken", `${file}: ${what}. It is not written over.`, { file })
}
