export * from "./identifiers/index.ts"
export { normaliseQuery } from "./normalise.ts"
