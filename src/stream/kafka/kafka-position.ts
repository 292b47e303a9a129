import { QueryveilError } from "../../kernels/error.ts"

/** How far a topic was read: Kafka's id of the topic, and the next offset of each partition. */
export interface TopicPosition {
  topic: string
  next: Readonly<Record<string, number>>
}

export const positionText = (position: TopicPosition) => JSON.stringify(position)

/** Parses what `positionText` wrote. */
export function positionFrom(text: string): TopicPosition {
  const value: unknown = JSON.parse(text)
  if (isPosition(value)) return value
  throw new QueryveilError("store-damaged", "The position of a Kafka input in the store cannot be read.")
}

function isPosition(value: unknown): value is TopicPosition {
  if (typeof value !== "object" || value === null || !("topic" in value) || !("next" in value)) return false
  const { topic, next } = value
  return (
    typeof topic === "string" &&
    typeof next === "object" &&
    next !== null &&
    Object.values(next).every((offset) => Number.isSafeInteger(offset) && offset >= 0)
  )
}
