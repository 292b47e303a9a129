export { type AuditedRun, type AuditOptions, auditRun } from "./dp-audit.ts"
export { type Confidence, eavesdrop, type Overheard, type Victim, walkDown } from "./eavesdropper.ts"
export { attack, attacks } from "./registry.ts"
export { drawTopic, type TopicLottery, topicLottery } from "./topic-lottery.ts"
