import { logTarget } from "../support/log-target.ts"

const query =
  '{"query_id":"q1","client_id":"ann","session_id":"s1","user_query":"red hat","timestamp":"2020-01-02T03:04:05Z"}'
const click = JSON.stringify({
  action_name: "item_click",
  query_id: "q1",
  session_id: "s1",
  timestamp: "2020-01-02T03:04:09Z",
  event_attributes: { object: { object_id: "p1" }, position: { ordinal: 2 } },
})

/** User Behavior Insights: searches and clicks that are joined by the search's id. */
export const target = logTarget(
  { format: "ubi" },
  {
    words: ['"query_id":"q1"', '"user_id":"bob"', '"action_name":"click"', '"ordinal":', '{"index":{}}\n', "65535"],
    seeds: [
      `${query}\n${click}\n`,
      `{"index":{"_index":"ubi_queries"}}\n${query}\n${query}\n${click}\n`,
      `[${click},${query}]`,
    ],
  },
)
