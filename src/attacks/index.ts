export { type AuditedRun, auditRun } from "./dp-audit.ts"
export { attack, attacks } from "./registry.ts"
