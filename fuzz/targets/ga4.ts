import { logTarget } from "../support/log-target.ts"

const event = (name: string) => {
  const params = [
    { key: "ga_session_id", value: { int_value: "9" } },
    { key: "search_term", value: { string_value: "red hat" } },
  ]
  const fields = { event_timestamp: "1577934245123456", user_pseudo_id: "u1", event_params: params }
  return `${JSON.stringify({ event_name: name, ...fields })}\n`
}

/** Events of Google Analytics 4; two of them may report one search. */
export const target = logTarget(
  { format: "ga4" },
  {
    words: ['"event_params":[', '"key":"search_term"', '"double_value":1.5', '"event_name":"search"', "null", "1e21"],
    seeds: [event("search") + event("view_search_results"), `[${event("search")}]`],
  },
)
