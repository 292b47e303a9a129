export { type Advice, type AdviceOptions, type Alternative, advise } from "./advise/advise.ts"
export { type Effort, type Efforts, estimateLeft } from "./estimate-left.ts"
export { frontierOptions, frontierStudy } from "./frontier/frontier-study.ts"
export { markFront, type Tradeoff } from "./frontier/pareto-front.ts"
export { type LabelledPoint, type LabelOptions, type PlacedLabel, placeLabels } from "./frontier/place-labels.ts"
export { type Risk, riskOf } from "./frontier/risk.ts"
export { type Comparable, type FrontierRow, readFrontier, type UseValue } from "./frontier/rows.ts"
export { type UseName, useNames } from "./frontier/scores.ts"
export type { PointFile } from "./point-files.ts"
export { studies } from "./registry.ts"
export {
  type ChosenProbes,
  composeReport,
  type ReportContent,
  type ReportOptions,
  type ReportSubject,
} from "./report/compose-report.ts"
export { reportPage } from "./report/report-page.ts"
export { computeStudy, runStudy, type StudyOutcome, type StudyRun, writeStudy } from "./run-study.ts"
export type {
  Figure,
  FigureLink,
  Point,
  PointOutput,
  PointPlace,
  PointResult,
  Study,
  StudySubject,
  TableData,
} from "./study.ts"
export { type StudyFolder, withStudyFolder } from "./study-folder.ts"
export { completeStudyOptions } from "./study-options.ts"
