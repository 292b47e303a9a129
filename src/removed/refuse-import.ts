import { QueryveilError } from "../kernels/error.ts"

/** Refuses the import of an entry point that was removed. `instead` names the present one. */
export function refuseImport(removed: readonly string[], instead: string): never {
  const names = removed.map((name) => `queryveil/${name}`).join(", ")
  const what = removed.length === 1 ? "is no longer an entry point" : "are no longer entry points"
  throw new QueryveilError(
    "entry-removed",
    `${names} ${what}: use ${instead}. docs/migration.md lists where names went.`,
  )
}
