export { measure, measures } from "./registry.ts"
