import type { Studio } from "../studio.ts"

export function SignScreen(_: { studio: Studio }) {
  return null
}
