import { escapeHtml } from "./html.ts"

/** Where a comment begins, by language. A block without a language holds commands or their output. */
const comments: Readonly<Record<string, RegExp>> = {
  "": /(?:^|\s{2,})# .*$/,
  sh: /(?:^|\s+)# .*$/,
  js: /(?:^|\s+)\/\/ .*$/,
  ts: /(?:^|\s+)\/\/ .*$/,
  mjs: /(?:^|\s+)\/\/ .*$/,
}

/** A block of code as HTML, with its comments marked. */
export function highlightCode(code: string, language: string): string {
  const comment = comments[language]
  return code
    .split("\n")
    .map((line) => {
      const at = comment?.exec(line)?.index ?? line.length
      const rest = line.slice(at)
      return escapeHtml(line.slice(0, at)) + (rest === "" ? "" : `<span class="comment">${escapeHtml(rest)}</span>`)
    })
    .join("\n")
}
