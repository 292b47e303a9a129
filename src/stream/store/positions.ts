import { QueryveilError } from "../../kernels/error.ts"

/** Where the inputs stand, by the name of the input. A position is in the words of its input, which alone reads it. */
export type InputPositions = Readonly<Record<string, string>>

/** The name of the one input that a store of version 0.1 knew the position of. */
export const unnamedInput = ""

const version = 1

/** Positions as a frame and a checkpoint keep them; empty where no input has one. */
export function positionsText(positions: InputPositions): string {
  return Object.keys(positions).length === 0 ? "" : JSON.stringify({ inputPositions: version, positions })
}

/** What `positionsText` wrote. The text of version 0.1 is the position of its only input. */
export function positionsFrom(text: string): InputPositions {
  if (text === "") return {}
  const known = parse(text)
  if (known === undefined) return { [unnamedInput]: text }
  if (known.inputPositions === version && isPositions(known.positions)) return known.positions
  throw new QueryveilError(
    "store-damaged",
    "The positions of the inputs are of another version of queryveil. Go on with the version that wrote the store.",
  )
}

/** Without the unnamed position: the input that it was for has one under its own name from now on. */
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
