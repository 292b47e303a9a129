export { type Advice, type AdviceOptions, type Alternative, advise } from "./advise.ts"
export { type Effort, type Efforts, estimateLeft } from "./estimate-left.ts"
export { type Risk, riskOf } from "./frontier-risk.ts"
export { type Comparable, type FrontierRow, readFrontier, type UseValue } from "./frontier-rows.ts"
export { type UseName, useNames } from "./frontier-scores.ts"
export { markFront, type Tradeoff } from "./pareto-front.ts"
export { type LabelledPoint, type LabelOptions, type PlacedLabel, placeLabels } from "./place-labels.ts"
export { studies } from "./registry.ts"
export { composeReport, type ReportContent, type ReportOptions, type ReportSubject } from "./report/compose-report.ts"
export { reportPage } from "./report/report-page.ts"
export { computeStudy, runStudy, type StudyRun, writeStudy } from "./run-study.ts"
export type {
  CellLinks,
  Figure,
  Point,
  PointOutput,
  PointPlace,
  PointResult,
  Study,
  StudySubject,
  TableData,
} from "./study.ts"
