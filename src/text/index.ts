export { normaliseQuery } from "./normalise.ts"
