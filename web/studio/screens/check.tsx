import type { Studio } from "../studio.ts"

export function CheckScreen(_: { studio: Studio }) {
  return null
}
