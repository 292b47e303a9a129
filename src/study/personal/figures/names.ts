import { nameParameter } from "../../figures/parameter-names.ts"
import type { Row } from "../../swap/rows.ts"

/** The paper, as figures cite it. */
export const paper = "Shou et al. 2014"
/** The display name of δ, which distinguishes it from the δ of other methods. */
export const deltaName = nameParameter("personal", "delta")
export const byClass = { series: "algorithm", panel: "class" }
export const classText =
  "Classes are by DP(q, R), what the query says without a profile. Their bounds are in the table of classes."

/** Rows with δ under its display name. */
export const nameDelta = (rows: readonly Row[]) =>
  rows.map(({ delta, ...row }): Row => (delta === undefined ? row : { ...row, [deltaName]: delta }))
