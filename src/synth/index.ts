export { generateLog, type PlantedSecret, type SecretKind, type SynthChunk, type SynthOptions } from "./generate-log.ts"
