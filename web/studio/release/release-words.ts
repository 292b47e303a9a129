import type { Job, RegisterView, StudioState } from "../answers.ts"
import type { RegisteredRelease } from "./release-types.ts"
import type { Look } from "./verdict-looks.ts"

/** States of a release in the register, in words. */
export const stateWords: Record<RegisteredRelease["state"], { word: string; look: Look }> = {
  signed: { word: "signed", look: "good" },
  changed: { word: "changed since signing", look: "bad" },
  refused: { word: "refused", look: "warn" },
  open: { word: "not decided", look: "plain" },
}

/** `equality, k = 10` */
export function describeMethod({ method, parameters }: Pick<RegisteredRelease, "method" | "parameters">): string {
  const shown = ["k", "epsilon", "delta", "theta", "mode"].filter((key) => parameters[key] !== undefined)
  return [method, ...shown.map((key) => `${symbols[key] ?? key} = ${parameters[key]}`)].join(", ")
}

const symbols: Record<string, string> = { epsilon: "ε", delta: "δ", theta: "θ" }

const nameForm = /^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,99}$/u

/** What is wrong with the name of a new release; undefined if nothing is. */
export function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (name === "") return "Give the release a name."
  if (!nameForm.test(name) || name.includes("..") || /\.(json|html)$/.test(name))
    return "Use up to 100 letters, digits, spaces, dots, hyphens and underscores; begin with a letter or a digit."
  return taken.includes(name) ? "There is a release of this name already." : undefined
}

/** A name that is not taken: `equality-2026-11-16`, then `equality-2026-11-16-2`. */
export function suggestName(method: string, today: string, taken: readonly string[]): string {
  const base = `${method}-${today}`
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}-${n}`
    if (!taken.includes(name)) return name
  }
}

/** Why a further draw needs a reason; undefined if this is the first. A draw counts unless it was cancelled. */
export function whyReason(releases: number, job: Pick<Job, "state"> | undefined): string | undefined {
  if (releases === 0 && (job === undefined || job.state === "cancelled")) return undefined
  const before = releases === 0 ? "A draw was begun before" : `This project has ${releasesText(releases)} already`
  return `${before}. Choosing among draws gives away more than one draw does, so say why you need another.`
}

const releasesText = (count: number) => (count === 1 ? "a release" : `${count} releases`)

/** True if a release was made by another method, or with other values, than those that are chosen now. */
export function isFromOtherChoice(release: RegisteredRelease, choice: StudioState["choice"]): boolean {
  if (choice === null) return false
  if (release.method !== choice.method) return true
  return Object.entries(choice.parameters).some(([key, value]) => {
    const made = release.parameters[key]
    return made !== undefined && String(made) !== String(value) && Number(made) !== Number(value)
  })
}

/** Why a release cannot be handed out; undefined if it can. */
export function whyNotHandedOut({ state }: Pick<RegisteredRelease, "state">): string | undefined {
  if (state === "signed") return undefined
  if (state === "changed") return "It is not what was signed."
  return state === "refused" ? "It was refused. Only a signed release can be handed out." : "It is not signed yet."
}

/** The number of the entry of the record that says that a release was signed or refused. */
export function findEntry(record: RegisterView["record"], release: RegisteredRelease): number | undefined {
  const { decision, name, state } = release
  if (decision === undefined) return undefined
  const begin = `${decision.name} ${state === "refused" ? "refused" : "signed"} ${name}: `
  const numbers = record.filter(({ says }) => says.startsWith(begin)).map(({ number }) => number)
  return numbers.length === 0 ? undefined : Math.max(...numbers)
}

/** Why two releases must be looked at together. */
export function sayOverlap({ releases: [one, other], why }: RegisterView["overlaps"][number]): string {
  const both = `“${one}” and “${other}” were made from`
  if (why === "same log") return `${both} the same log: everybody in one is in the other.`
  if (why === "shared files") return `${both} logs that share files: the people of these files are in both.`
  return `${both} logs of the same time: the same people may be in both.`
}

/** What the register comes to, in a sentence. */
export function concludeRegister({ releases }: Pick<RegisterView, "releases">): string {
  if (releases.length === 0) return "Nothing was released from this project yet."
  const counts = listedStates.flatMap((state) => {
    const count = releases.filter((release) => release.state === state).length
    return count === 0 ? [] : [`${count} ${stateWords[state].word}`]
  })
  return `${releases.length === 1 ? "One release" : `${releases.length} releases`}: ${counts.join(", ")}.`
}

const listedStates = ["signed", "changed", "refused", "open"] as const

/** `2026-11-16 22:14 UTC` */
export const asMinute = (time: string) => `${time.slice(0, 16).replace("T", " ")} UTC`

/** `16 November 2026` for `2026-11-16` */
export function asLongDay(day: string): string {
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) ? day : longDay.format(time)
}

const longDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" })
