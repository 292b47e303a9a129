import type { TableName } from "../../methods/counts/options.ts"
import type { Release } from "../../release/read-release.ts"

/** Whether a release of tables has one of this name. */
export function hasTable({ manifest: { guarantee } }: Release, name: TableName): boolean {
  return guarantee.model === "dp" && guarantee.mechanisms.some(({ table }) => table === name)
}
