export { attack, attacks } from "./registry.ts"
