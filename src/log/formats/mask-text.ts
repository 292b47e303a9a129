const longestRun = 4
const longestMask = 24

/**
 * The shape of a text without the text: letters become `a`, digits become `9`, and runs of more than four are cut to
 * four. So neither words nor their lengths are shown. `ann-12345` becomes `aaa-9999`.
 */
export function maskText(text: string): string {
  const shape = text
    .slice(0, 1000)
    .normalize("NFC")
    .replace(/\p{M}/gu, "")
    .replace(/\p{L}/gu, "a")
    .replace(/\p{N}/gu, "9")
    .replace(/\s+/gu, " ")
    .replace(/[^a9 \-_.:/@+]/gu, "*")
    .replace(/(.)\1{4,}/gu, (_run, sign: string) => sign.repeat(longestRun))
    .trim()
  return shape.length > longestMask ? `${shape.slice(0, longestMask)}…` : shape
}
