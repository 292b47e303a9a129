import type { StudioState } from "../answers.ts"
import type { Account } from "./release-types.ts"

const decimal = /^\d+(\.\d+)?(e-?\d+)?$/i
const fraction = /^(\d+)\/([1-9]\d*)$/

/** The value of an exact amount, `3/4` or `0.75`; NaN if the text is none. */
export function amountOf(text: string): number {
  const [, top, bottom] = fraction.exec(text) ?? []
  if (top !== undefined && bottom !== undefined) return Number(top) / Number(bottom)
  return decimal.test(text) ? Number(text) : Number.NaN
}

/** An exact amount as people write it: `0.75` for `3/4`, `1 in 1,000,000` is left to `asChance`. */
export function asAmount(text: string): string {
  const value = amountOf(text)
  return Number.isNaN(value) ? text : String(Number(value.toPrecision(6)))
}

/** A chance in words: `1 in 1,000`; `none` for 0. */
export function asChance(text: string): string {
  const value = amountOf(text)
  if (Number.isNaN(value)) return text
  if (value === 0) return "none"
  if (value >= 1) return "certain"
  const times = 1 / value
  return times >= 2 ? `1 in ${Math.round(times).toLocaleString("en")}` : `${Number((100 * value).toPrecision(3))} %`
}

/** What was spent of a log's budgets, in words and as shares. */
export interface AccountWords {
  /** `2 of 4 spent` */
  loss: string
  /** Share of the budget, 0 to 1. */
  lossShare: number
  chance: string
  chanceShare: number
}

const shareOf = (spent: string, budget: string) => {
  const share = amountOf(spent) / amountOf(budget)
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0
}

export function sayAccount({ budget, spent, deltaBudget, deltaSpent }: Account): AccountWords {
  const hasChance = amountOf(deltaBudget) > 0
  return {
    loss: `${asAmount(spent)} of ${asAmount(budget)} spent`,
    lossShare: shareOf(spent, budget),
    chance: hasChance ? `${asAmount(deltaSpent)} of ${asAmount(deltaBudget)} spent` : "no budget",
    chanceShare: shareOf(deltaSpent, deltaBudget),
  }
}

type Choice = Pick<NonNullable<StudioState["choice"]>, "parameters">

/** What the chosen method costs; undefined if it spends no privacy budget. */
export function costOf(choice: Choice | null): { epsilon: string; delta: string } | undefined {
  if (choice === null || choice.parameters.epsilon === undefined || choice.parameters.mode === "paper") return undefined
  return { epsilon: String(choice.parameters.epsilon), delta: String(choice.parameters.delta ?? 0) }
}

/** Says that the budget does not pay for a cost; undefined if it does. */
export function shortfall(
  { budget, spent, deltaBudget, deltaSpent }: Account,
  cost: { epsilon: string; delta: string },
) {
  const isOver = (whole: string, used: string, more: string) =>
    amountOf(used) + amountOf(more) > amountOf(whole) * (1 + 1e-9)
  if (isOver(budget, spent, cost.epsilon))
    return `Not enough of the privacy budget is left: ${asAmount(spent)} of ${asAmount(budget)} is spent.`
  if (isOver(deltaBudget, deltaSpent, cost.delta))
    return `Not enough of the chance is left: ${asAmount(deltaSpent)} of ${asAmount(deltaBudget)} is spent.`
  return undefined
}

/** What is wrong with a typed budget; undefined if nothing is. */
export function budgetProblem(typed: { epsilon: string; delta: string }, cost: { epsilon: string; delta: string }) {
  const [epsilon, delta] = [amountOf(typed.epsilon.trim()), amountOf(typed.delta.trim())]
  if (Number.isNaN(epsilon) || epsilon <= 0) return "The budget is a number above 0."
  if (epsilon < amountOf(cost.epsilon)) return `The budget is too small: this release alone costs ${cost.epsilon}.`
  if (Number.isNaN(delta) || delta >= 1) return "The chance is a number from 0 to below 1, such as 0.001."
  if (delta < amountOf(cost.delta)) return `The chance is too small: this release alone takes ${asChance(cost.delta)}.`
  return undefined
}
