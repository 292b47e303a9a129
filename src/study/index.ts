export { studies } from "./registry.ts"
export { type ReportContent, reportPage } from "./report-page.ts"
export { runStudy, type StudyRun } from "./run-study.ts"
export type { Figure, Point, PointOutput, PointResult, Study, StudySubject, TableData } from "./study.ts"
