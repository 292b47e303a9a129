/** Parts of a project's folder, in words. */
const words: Record<string, string> = {
  cache: "the log, as it was read",
  frontier: "points of Explore",
  draft: "the draft",
  releases: "releases, with receipts, reports and signatures",
  audits: "audits",
}

/** What takes room in a project's folder, the largest first. Small files are one line. */
export function sayDisk(parts: Readonly<Record<string, number>>): { says: string; bytes: number }[] {
  const bytesOf = new Map<string, number>()
  for (const [name, bytes] of Object.entries(parts)) {
    const says = (Object.hasOwn(words, name) && words[name]) || "settings, jobs and records"
    bytesOf.set(says, (bytesOf.get(says) ?? 0) + bytes)
  }
  return [...bytesOf]
    .filter(([, bytes]) => bytes > 0)
    .map(([says, bytes]) => ({ says, bytes }))
    .sort((a, b) => b.bytes - a.bytes)
}
