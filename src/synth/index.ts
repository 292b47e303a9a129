export { planSynth, type SynthOptions, type SynthPlan, synthOptions } from "./options.ts"
export { type PowerLawOptions, powerLaw } from "./power-law.ts"
export { type SecretKind, secretKinds } from "./secrets.ts"
export { type PlantedSecret, type SynthChunk, synthesise } from "./synthesise.ts"
