// A vendor's own format: lines of `time|visitor|action|text`. Searches have the action `search`.
import { registerFormat } from "queryveil/extend"

registerFormat({
  name: "pipe",
  module: import.meta.url, // worker threads parse the log: they import this file too
  columns: { user: "the second field", query: "the fourth field", time: "the first field" },
  tell: (start) => /^[^|\n]+\|[^|\n]+\|(search|view|order)\|/.test(start),
  converter: () => (line) => {
    const [time, user, action, ...text] = line.split("|")
    if (action === undefined) return "syntax" // counted as a rejected line
    if (action !== "search") return [] // nothing of interest
    return [{ user, query: text.join("|"), time }]
  },
})
