/** The meanings of exit codes, by code. */
export type ExitCodes = Readonly<Record<number, string>>

const usualExits: ExitCodes = { 0: "done", 1: "the data or a check failed", 2: "wrong usage", 130: "interrupted" }

/** Additional codes that some commands have. */
export const allExits: ExitCodes = { 3: "something could not be checked", 4: "the release is empty" }

/** `Exit codes: 0 done, 1 …`. A command adds its own codes, or says more about the usual ones. */
export function exitsText(own: ExitCodes = {}): string {
  const texts = Object.entries({ ...usualExits, ...own }).map(([code, meaning]) => `${code} ${meaning}`)
  return `Exit codes: ${texts.join(", ")}.`
}
