import { logTarget } from "../support/log-target.ts"

const visit = JSON.stringify({
  idVisit: 4,
  visitorId: "v1",
  userId: null,
  serverTimestamp: 1577934245,
  actionDetails: [
    { type: "search", siteSearchKeyword: "red hat", timestamp: 1577934250 },
    { type: "action" },
    { type: "search", siteSearchKeyword: "lamp" },
  ],
})

/** Matomo's visits, each of which may contain several searches. */
export const target = logTarget(
  { format: "matomo" },
  {
    words: ['"actionDetails":[', '{"type":"search"}', '"siteSearchKeyword":"a"', '"userId":"u"', '"idVisit":', "null"],
    seeds: [`[${visit},${visit}]`, `${visit}\n`],
  },
)
