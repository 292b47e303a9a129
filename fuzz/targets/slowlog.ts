import { logTarget } from "../support/log-target.ts"

const source = '{\\"query\\":{\\"bool\\":{\\"must\\":[{\\"match\\":{\\"title\\":{\\"query\\":\\"red hat\\"}}}]}}}'

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
    seeds: [
      `{"type":"index_search_slowlog","timestamp":"2020-01-02T03:04:05,123+0000","component":"i.s.s.query","took_millis":"12","total_shards":"5","source":"${source}","user.name":"ann"}\n`,
      `{"@timestamp":"2020-01-02T03:04:05.123Z","log.logger":"index.search.slowlog.query","elasticsearch":{"slowlog":{"took_millis":3,"source":"${source}"}},"user":{"name":"bob"}}\n`,
    ],
  },
)
