import type { Check } from "#dist/verify/verifier.js"

/**
 * True if a check failed or was not made. `order` does not count: the order of a few names cannot be distinguished from
 * chance.
 */
export const isOpen = ({ name, state }: Pick<Check, "name" | "state">): boolean =>
  state === "failed" || (state === "not checked" && name !== "order")
