export { planSynth, type SynthOptions, type SynthPlan, synthOptions } from "./options.ts"
export type { SecretKind } from "./secrets.ts"
export { type PlantedSecret, type SynthChunk, synthesise } from "./synthesise.ts"
