const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** Text as it is written in HTML, also between quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (one) => entities[one] ?? one)

/** Text of HTML as a reader sees it: the opposite of `escapeHtml`, for the entities that our pages have. */
export const unescapeHtml = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name) => unescaped[name] ?? "'")

const unescaped: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' }
