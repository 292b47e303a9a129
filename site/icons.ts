const stroke = 'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"'

const icon = (look: string, ...paths: readonly string[]) =>
  [
    `<svg class="${look}" viewBox="0 0 24 24" width="20" height="20" ${stroke} aria-hidden="true">`,
    ...paths.map((path) => `<path d="${path}"/>`),
    "</svg>",
  ].join("")

const waves = "M3 6c6 4 12-4 18 0M3 12c6 4 12-4 18 0M3 18c6 4 12-4 18 0"

/** The icons of the header. They take their colour from the text. */
export const icons = {
  menu: icon("menu", "M4 6h16M4 12h16M4 18h16"),
  moon: icon("moon", "M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5z"),
  sun: icon(
    "sun",
    "M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M19 5l-1.4 1.4M6.4 17.6 5 19",
  ),
  mark: icon("mark", waves),
}

/** The icon of the site in the browser, as a file. */
export const siteIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#2f6fb4"
 stroke-width="2.4" stroke-linecap="round"><path d="${waves}"/></svg>
`
