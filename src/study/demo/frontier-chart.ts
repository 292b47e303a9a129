import { frontierFigures } from "../frontier/frontier-figures.ts"
import type { UseName } from "../frontier/scores.ts"
import { drawForPage } from "../pages/draw-for-page.ts"
import { html, type Markup } from "../pages/page.ts"
import type { PointResult } from "../study.ts"

/** The main chart of a frontier, drawn as on the page of the frontier. */
export async function frontierChart(results: readonly PointResult[], use: UseName): Promise<Markup> {
  const [chart] = frontierFigures(results, use)
  return chart === undefined ? html`` : drawForPage(chart)
}
