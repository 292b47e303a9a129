import type { RandomSource } from "../../kernels/random.ts"
import type { DealingSecret } from "../../swapper/dealing-secret.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { StoreSecrets } from "../store/store-secrets.ts"
import type { RiskWindow } from "./risk-window.ts"
import type { StreamSettings } from "./settings.ts"

/** Reasons why a readable record is not released, with a plain explanation of each. */
export const withheldMeanings = {
  "no topic": "no topic was found",
  "unknown category": "its topic is not in the taxonomy",
  identifier: "it holds a direct identifier",
  repeated: "its user issued the query before",
  backlog: "too many searches of its user wait",
  "same text": "its cell already has this text",
  "withheld topic": "its topic is withheld",
  click: "a click whose search is not shown",
  "no user": "it has no user",
  "long text": "its text is too long",
} as const
export type WithheldReason = keyof typeof withheldMeanings

export interface CoreOptions {
  taxonomy: Taxonomy
  settings: StreamSettings
  backlog: number
  /** True if the searches of a cell must have distinct texts. */
  distinctTexts: boolean
  repeats: "keep" | "once"
  remember: number
  /** Key of the store. Names are keyed with it. */
  key: Buffer
  /** Distinguishes the cells of this core from those of others with the same key, whose cells have the same numbers. */
  cellScope?: string | undefined
  /** Secrets of the store, for hashes, positions and dealings. */
  secrets: StoreSecrets
  /** The secret of a version, if there may be several (default: always that of `secrets`). */
  dealingOf?: ((version: number) => DealingSecret) | undefined
  /** Random source of paper mode. Strict cells are dealt under the secret of the store. */
  random: RandomSource
  window: RiskWindow
  now: () => number
}
