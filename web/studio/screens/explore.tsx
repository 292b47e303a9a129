import type { Studio } from "../studio.ts"

export function ExploreScreen(_: { studio: Studio }) {
  return null
}
