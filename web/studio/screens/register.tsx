import type { Studio } from "../studio.ts"

export function RegisterScreen(_: { studio: Studio }) {
  return null
}
