/** The anchor of a heading, as GitHub makes it. */
export const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-")

/** Gives each heading of a page its anchor. A second heading with the same words gets `-1`, a third `-2`. */
export function createAnchors(): (heading: string) => string {
  const used = new Map<string, number>()
  return (heading) => {
    const slug = slugOf(heading)
    let anchor = slug
    for (let again = used.get(slug) ?? 0; used.has(anchor); ) {
      anchor = `${slug}-${++again}`
      used.set(slug, again)
    }
    used.set(anchor, 0)
    return anchor
  }
}
