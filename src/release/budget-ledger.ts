import { createHash } from "node:crypto"
import { QueryveilError } from "../kernels/error.ts"
import { type Rational, rationalOf } from "../kernels/noise/rational.ts"
import type { Intake } from "../log/intake.ts"
import { type Unit, units } from "../log/search-log.ts"
import { formatFraction, fraction, plus, zero } from "../methods/counts/fractions.ts"
import { type Account, changeLedger, type Ledger, readLedger } from "./ledger-file.ts"

/** What a release costs. Numbers are decimal text or fractions. */
export interface Cost {
  release: string
  epsilon: string
  delta: string
  /** The unit that ε and δ protect. */
  unit: Unit
  created: string
}

/** Which ledger, and which log in it. */
export interface LedgerPlace {
  file: string
  /** The log: its fingerprint, or a name chosen by the owner for a log that grows. */
  log: string
  /** Fingerprints under which version 0.1 kept this log, one for each unit. */
  earlier?: readonly { log: string; unit: Unit }[]
  /** The budget of ε, as decimal text. Required the first time; later the same value, or left out. */
  budget?: string
  /** The budget of δ, as decimal text. Set the first time (default 1/1000); later the same value, or left out. */
  deltaBudget?: string
}

/** What a ledger says about a log after a release is paid for. */
export interface Balance {
  spent: string
  budget: string
  deltaSpent: string
  deltaBudget: string
}

/**
 * The chance, over all releases of a log, that ε fails for somebody: one in a thousand. A larger δ promises little, and
 * from 1/100 on nothing that one could tell a person.
 */
const usualDeltaBudget = "1/1000"

const smallerOrMore = [
  "Use a smaller --delta, or set another budget with --delta-budget:",
  "each release adds its chance to expose somebody.",
].join(" ")

/** Identifies a log that was not named: by its bytes, whatever its files are called and whichever unit is counted. */
export function fingerprintOf(intake: Intake): string {
  return digest(`log ${digestsOf(intake)}`)
}

/** The fingerprints that version 0.1 gave the same log. They included the unit. */
export function earlierFingerprints(intake: Intake): { log: string; unit: Unit }[] {
  return units.map((unit) => ({ log: digest(`${unit} ${digestsOf(intake)}`), unit }))
}

const digestsOf = ({ files }: Intake) =>
  files
    .map(({ sha256 }) => sha256)
    .sort()
    .join(" ")

const digest = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`

/** Refuses a cost that the budget does not cover. Used to check before the work begins. */
export async function checkBudget(place: LedgerPlace, cost: Omit<Cost, "release" | "created">): Promise<void> {
  addCost(await readLedger(place.file), place, { release: "", created: "", ...cost })
}

/**
 * Writes a cost to the ledger, or refuses it if the budget does not cover it. Must be called before any noise is drawn:
 * if a run could be repeated at no cost until its draw suits somebody, no ε would describe the release. So a run that
 * fails after this call is paid for. Only one process at a time holds the ledger.
 */
export async function spendBudget(place: LedgerPlace, cost: Cost): Promise<Balance> {
  return changeLedger(place.file, (ledger) => addCost(ledger, place, cost))
}

function addCost(ledger: Ledger, place: LedgerPlace, given: Cost): { ledger: Ledger; result: Balance } {
  const { file } = place
  const cost = {
    ...given,
    epsilon: exactAmount(given.epsilon, "--epsilon"),
    delta: exactAmount(given.delta, "--delta"),
  }
  const held = findAccount(ledger, place)
  const budget = settle(held?.budget, place.budget, { file, flag: "--budget" })
  if (budget === undefined)
    throw new QueryveilError("usage", `${file}: has no budget for this log yet. Set one with --budget.`, {
      flag: "--budget",
    })
  const said = settle(held?.deltaBudget, place.deltaBudget, { file, flag: "--delta-budget" })
  const deltaBudget = said ?? usualDeltaBudget
  const before = held?.spent ?? []
  refuseOtherUnit(before, cost, file)
  const spent = sumOf([...before, cost], "epsilon")
  if (isMore(spent, parse(budget)))
    throw new QueryveilError(
      "budget-spent",
      [
        `${file}: the budget is ${budget}, and ${formatFraction(sumOf(before, "epsilon"))} is spent.`,
        `ε = ${cost.epsilon} is more than is left.`,
        "Nothing was released.",
      ].join(" "),
      { file },
    )
  const deltaSpent = sumOf([...before, cost], "delta")
  if (isMore(deltaSpent, parse(deltaBudget)) && cost.delta !== "0")
    throw new QueryveilError(
      "budget-spent",
      [
        `${file}: the δ budget is ${deltaBudget}, and ${formatFraction(sumOf(before, "delta"))} is spent.`,
        `δ = ${cost.delta} is more than is left.`,
        "Nothing was released.",
        said === undefined ? smallerOrMore : "Use a smaller --delta.",
      ].join(" "),
      { file, flag: "--delta" },
    )
  const account: Account = { ...held, budget, deltaBudget, spent: [...before, cost] }
  const earlier = new Set(place.earlier?.map(({ log }) => log))
  const others = Object.entries(ledger.logs).filter(([log]) => !earlier.has(log))
  return {
    ledger: { queryveil: 2, logs: Object.fromEntries([...others, [place.log, account]]) },
    result: { spent: formatFraction(spent), budget, deltaSpent: formatFraction(deltaSpent), deltaBudget },
  }
}

/** What was spent of an account, and its budgets. */
export function balanceOf({ budget, deltaBudget = usualDeltaBudget, spent }: Account): Balance {
  const sum = (what: "epsilon" | "delta") => formatFraction(sumOf(spent, what))
  return { spent: sum("epsilon"), budget, deltaSpent: sum("delta"), deltaBudget }
}

/** The account of a log under all its names. If there are several budgets, the smallest counts. */
function findAccount({ logs }: Ledger, { log, earlier = [] }: LedgerPlace): Account | undefined {
  const own = Object.hasOwn(logs, log) ? [logs[log]] : []
  const before = earlier.flatMap(({ log: name, unit }) =>
    Object.hasOwn(logs, name)
      ? [{ ...logs[name], spent: logs[name].spent.map((one) => ({ ...one, unit: one.unit ?? unit })) }]
      : [],
  )
  const [first, ...more] = [...before, ...own]
  return more.reduce<Account | undefined>((a, b) => (a === undefined ? b : joinAccounts(a, b)), first)
}

function joinAccounts(a: Account, b: Account): Account {
  const least = (x: string, y: string) => (isMore(parse(x), parse(y)) ? y : x)
  const deltas = [a.deltaBudget, b.deltaBudget].filter((one) => one !== undefined)
  return {
    budget: least(a.budget, b.budget),
    ...(deltas.length === 0 ? {} : { deltaBudget: deltas.reduce(least) }),
    spent: [...a.spent, ...b.spent],
  }
}

/**
 * Costs of different units have no sum. Releases by session bound nothing for a user, because a user has many sessions.
 * A release by user costs a session up to 2ε and (1 + e^ε)δ, because removing one session from a user's searches can
 * change which of the others count.
 */
function refuseOtherUnit(spent: Account["spent"], { unit }: Cost, file: string): void {
  const other = spent.find((one) => one.unit !== undefined && one.unit !== unit)
  if (other === undefined) return
  const advice =
    unit === "session" ? "Leave --unit session out." : "Add --unit session, or keep users and sessions in two ledgers."
  throw new QueryveilError(
    "budget-spent",
    [
      `${file}: this log was released by ${other.unit}, and costs by ${unit} cannot be added to that.`,
      "Nothing was released.",
      advice,
    ].join(" "),
    { file, flag: "--unit" },
  )
}

/** The budget that counts: the first one given. A different one is refused later. */
function settle(
  held: string | undefined,
  given: string | undefined,
  { file, flag }: { file: string; flag: string },
): string | undefined {
  const said = given === undefined ? undefined : exactAmount(given, flag)
  if (said !== undefined && flag === "--delta-budget" && !isMore({ numerator: 1n, denominator: 1n }, parse(said)))
    throw new QueryveilError("option-value", `${flag} ${given}: a δ of 1 promises nothing. Give less than 1.`, { flag })
  if (held === undefined || said === undefined || held === said) return held ?? said
  const what = flag === "--budget" ? "budget" : "δ budget"
  throw new QueryveilError(
    "budget-spent",
    [
      `${file}: the ${what} of this log is ${held}, not ${said}.`,
      `Leave ${flag} out.`,
      `To change the ${what}, edit the file.`,
    ].join(" "),
    { file, flag },
  )
}

const sumOf = (costs: readonly Pick<Cost, "epsilon" | "delta">[], what: "epsilon" | "delta") =>
  costs.map((cost) => parse(cost[what])).reduce(plus, zero)

const isMore = (a: Rational, b: Rational) => a.numerator * b.denominator > b.numerator * a.denominator

/**
 * Converts decimal text, or a fraction as ledgers write it, to such a fraction. `flag` is the flag that an error names.
 */
export function exactAmount(text: string, flag: string): string {
  if (/^\d+\/[1-9]\d*$/.test(text)) return formatFraction(parse(text))
  try {
    const value = rationalOf(text)
    if (value.numerator >= 0n) return formatFraction(value)
  } catch {}
  throw new QueryveilError("option-value", `${flag} ${text}: expected a number of at least 0.`, { flag })
}

function parse(text: string): Rational {
  const [top, bottom = 1n] = text.split("/").map(BigInt)
  return fraction(top, bottom)
}
