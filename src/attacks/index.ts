export { type AuditedRun, auditRun } from "./dp-audit.ts"
export { scenariosFor } from "./dp-scenarios.ts"
export { attack, attacks } from "./registry.ts"
