import type { Check } from "#dist/verify/verifier.js"

/** True if a check failed or was not made. The order of a few names is never told from chance, and does not count. */
export const isOpen = ({ name, state }: Pick<Check, "name" | "state">): boolean =>
  state === "failed" || (state === "not checked" && name !== "order")
