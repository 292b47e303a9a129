import { logTarget } from "../support/log-target.ts"

const source = JSON.stringify({ query: { bool: { must: [{ match: { title: { query: "red hat" } } }] } } })

const ofOpenSearch = {
  type: "index_search_slowlog",
  timestamp: "2020-01-02T03:04:05,123+0000",
  component: "i.s.s.query",
  took_millis: "12",
  total_shards: "5",
  source,
  "user.name": "ann",
}

const ofElasticsearch = {
  "@timestamp": "2020-01-02T03:04:05.123Z",
  "log.logger": "index.search.slowlog.query",
  elasticsearch: { slowlog: { took_millis: 3, source } },
  user: { name: "bob" },
}

/** Slow logs of Elasticsearch and OpenSearch. */
export const target = logTarget(
  { format: "slowlog" },
  {
    words: [
      "took_millis",
      "event.duration",
      "multi_match",
      "query_string",
      '\\"query\\":',
      "user.name",
      "[{",
      "slowlog",
    ],
    seeds: [`${JSON.stringify(ofOpenSearch)}\n`, `${JSON.stringify(ofElasticsearch)}\n`],
  },
)
