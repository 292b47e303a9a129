import { drawFigure } from "../figures/draw.ts"
import type { Figure } from "../study.ts"
import { html, Markup } from "./page.ts"

/**
 * Two drawings, one for a wide screen and one for a phone; the page shows the one that fits. A small figure has one
 * drawing.
 */
export async function drawForPage(figure: Figure): Promise<Markup> {
  const draw = async (isNarrow: boolean) => new Markup(await drawFigure(figure, { isNarrow }))
  if (figure.isSmall) return draw(true)
  return html`<div class="wide">${await draw(false)}</div><div class="slim">${await draw(true)}</div>`
}
