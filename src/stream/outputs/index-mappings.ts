/**
 * Mappings of an index of releases. `strict`: a field that no release has is refused. A text is kept whole for counting
 * (`query`) and by its words for searching (`query.words`).
 */
export const releaseMappings = {
  dynamic: "strict",
  properties: {
    seq: { type: "long" },
    user: { type: "keyword" },
    query: { type: "keyword", ignore_above: 8191, fields: { words: { type: "text" } } },
    time: { type: "date", format: "yyyy-MM-dd HH:mm:ss" },
    rank: { type: "integer" },
    url: { type: "keyword", ignore_above: 8191 },
    category: { type: "keyword" },
  },
} as const
