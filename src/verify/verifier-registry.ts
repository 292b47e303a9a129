import type { TablesVerifier, Verifier } from "./verifier.ts"

/** Verifiers of the guarantees that extensions make. */
export const extensionVerifiers: { readonly rows: Verifier[]; readonly tables: TablesVerifier[] } = {
  rows: [],
  tables: [],
}
