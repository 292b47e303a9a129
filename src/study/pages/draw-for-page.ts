import { drawFigure } from "../figures/draw.ts"
import type { Figure } from "../study.ts"
import { html, Markup } from "./page.ts"

/** A drawing for a wide screen and one for a telephone, of which the page shows the one that fits; one of a small figure. */
export async function drawForPage(figure: Figure): Promise<Markup> {
  const draw = async (isNarrow: boolean) => new Markup(await drawFigure(figure, { isNarrow }))
  if (figure.isSmall) return draw(true)
  return html`<div class="wide">${await draw(false)}</div><div class="slim">${await draw(true)}</div>`
}
