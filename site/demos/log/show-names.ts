import { type Pseudonyms, pseudonymBytes, writePseudonym } from "../../../src/kernels/pseudonyms.ts"

/** The text of a random name. */
export function nameText(names: Pseudonyms, id: number): string {
  const bytes = new Uint8Array(pseudonymBytes)
  writePseudonym(names, id, bytes)
  return String.fromCharCode(...bytes)
}

/** A time as the log and its releases write it. */
export const timeText = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")
