import type { TablesVerifier } from "./verifier.ts"

export const dpVerifier: TablesVerifier = {
  model: "dp",
  async verify() {
    return []
  },
}
