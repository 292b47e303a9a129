import { logTarget } from "../support/log-target.ts"

const line = (params: string) =>
  [
    "2020-01-02 03:04:05.123 INFO  (qtp1-17) [   x:search] o.a.s.c.S.Request [search] ",
    `webapp=/solr path=/select params={${params}} hits=0 status=0 QTime=0\n`,
  ].join(" ")

/** Solr's request log. */
export const target = logTarget(
  { format: "solr" },
  {
    words: ["params={", "q=", "&uid=", "{!edismax}", "*:*", "} ", "%2", "%C3%A9", "distrib=false", "isShard=true", "+"],
    seeds: [line("q=red+hat&uid=ann") + line("q={!edismax}l%C3%A9mon&userId=b%20b&rows=10"), line("q=*:*&uid=ann")],
  },
)
