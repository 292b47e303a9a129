import type { TableName } from "../../methods/counts/options.ts"
import { traitsOf } from "../../methods/guarantee.ts"
import type { Release } from "../../release/read-release.ts"

/** True if a release of tables has one of this name: among its files or, while it has none, in its ledger. */
export function hasTable({ manifest: { guarantee, files } }: Release, name: TableName): boolean {
  if (files.length > 0) return files.some(({ path }) => path.startsWith(`${name}.`))
  return traitsOf(guarantee).noise?.mechanisms.some(({ table }) => table === name) ?? false
}
