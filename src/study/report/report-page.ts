import { html, page } from "../pages/page.ts"
import { appendix } from "./appendix.ts"
import type { ReportContent } from "./compose-report.ts"
import { firstPage } from "./first-page.ts"
import { reportStyle } from "./report-style.ts"
import { embedSummary, summariseReport } from "./report-summary.ts"

/**
 * The report on a release, with its checks, attacks and measures: one page that a privacy officer can sign, and an
 * appendix.
 */
export function reportPage(content: ReportContent): string {
  const title = `Report on a release: ${content.manifest.method}`
  return page(
    title,
    html`${firstPage(content)}${appendix(content)}${embedSummary(summariseReport(content))}`,
    reportStyle,
  )
}
