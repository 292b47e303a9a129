import type { Studio } from "../studio.ts"

export function PreviewScreen(_: { studio: Studio }) {
  return null
}
