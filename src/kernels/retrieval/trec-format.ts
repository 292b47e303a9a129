/** A url as a TREC document number. White space and unprintable characters are escaped, because they would end it. */
function docnoOf(url: string): string {
  return url.replace(/[\s\p{Cc}]/gu, (found) => encodeURIComponent(found)) || "-"
}

/** A judgement as a line of a qrels file. */
export function qrelsLine({ topic, url, grade }: { topic: string; url: string; grade: number }): string {
  return `${topic} 0 ${docnoOf(url)} ${grade}`
}

/**
 * A ranked list as lines of a run file. Each score is written so that it reads back as the same single-precision
 * number.
 */
export function runLines(options: {
  topic: string
  tag: string
  urls: readonly string[]
  scores: ArrayLike<number>
}): string[] {
  const { topic, tag, urls, scores } = options
  return urls.map((url, i) => `${topic} Q0 ${docnoOf(url)} ${i + 1} ${scores[i]} ${tag}`)
}
