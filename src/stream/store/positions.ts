import { QueryveilError } from "../../kernels/error.ts"

/**
 * The position of each input, by its name. A position is in the notation of its input, and only that input reads it.
 */
export type InputPositions = Readonly<Record<string, string>>

/** The name of the only input whose position a store of version 0.1 has. */
export const unnamedInput = ""

const version = 1

/** Positions as a frame and a checkpoint store them; empty if no input has one. */
export function positionsText(positions: InputPositions): string {
  return Object.keys(positions).length === 0 ? "" : JSON.stringify({ inputPositions: version, positions })
}

/** Parses what `positionsText` wrote. The text of version 0.1 is the position of its only input. */
export function positionsFrom(text: string): InputPositions {
  if (text === "") return {}
  const known = parse(text)
  if (known === undefined) return { [unnamedInput]: text }
  if (known.inputPositions === version && isPositions(known.positions)) return known.positions
  throw new QueryveilError(
    "store-damaged",
    "The positions of the inputs were written by another version of queryveil. Use the version that wrote the store.",
  )
}

/** Sets the position of an input. Removes the unnamed position: its input now has one under its own name. */
export function withPosition(positions: InputPositions, { input, at }: { input: string; at: string }): InputPositions {
  const { [unnamedInput]: _claimed, ...named } = positions
  return { ...named, [input]: at }
}

function parse(text: string): { inputPositions: unknown; positions?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && "inputPositions" in value ? value : undefined
  } catch {
    return undefined
  }
}

function isPositions(value: unknown): value is InputPositions {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((position) => typeof position === "string")
  )
}
