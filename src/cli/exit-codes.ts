/** What exit codes mean, by code. */
export type ExitCodes = Readonly<Record<number, string>>

const usualExits: ExitCodes = { 0: "done", 1: "the data or a check failed", 2: "wrong usage", 130: "interrupted" }

/** Codes of any command. */
export const allExits: ExitCodes = { 3: "something could not be checked", 4: "the release is empty" }

/** `Exit codes: 0 done, 1 …`; a command names its own, or says more of the usual ones. */
export function exitsText(own: ExitCodes = {}): string {
  const texts = Object.entries({ ...usualExits, ...own }).map(([code, meaning]) => `${code} ${meaning}`)
  return `Exit codes: ${texts.join(", ")}.`
}
