import type { RandomSource } from "../../kernels/random.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { RiskWindow } from "./risk-window.ts"
import type { StreamSettings } from "./settings.ts"

/** Why a record that could be read does not leave. */
const withheldReasons = [
  "no topic",
  "unknown category",
  "identifier",
  "repeated",
  "backlog",
  "same text",
  "withheld topic",
  "click",
  "no user",
] as const
export type WithheldReason = (typeof withheldReasons)[number]

export interface CoreOptions {
  taxonomy: Taxonomy
  settings: StreamSettings
  backlog: number
  /** Whether the searches of a cell have distinct texts. */
  distinctTexts: boolean
  repeats: "keep" | "once"
  remember: number
  /** Of the store: names, hashes and dealings are keyed with it. */
  key: Buffer
  /** Paper mode: what is drawn. Strict cells are dealt under the key. */
  random: RandomSource
  window: RiskWindow
  now: () => number
}
