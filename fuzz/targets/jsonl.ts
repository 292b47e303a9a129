import { logTarget } from "../support/log-target.ts"

const record = '{"user":"ann","query":"red hat","time":"2020-01-02T03:04:05Z","rank":2,"url":"http://a.example"}'

/** JSON objects in lines and in arrays, with columns recognised by their names. */
export const target = logTarget(
  { format: "jsonl" },
  {
    words: ['"user":', '"query":', '"time":', '"_source":{', "\\u0000", "\\ud800", "null", "[", "]", "{", "}", "1e400"],
    seeds: [
      `${record}\n{"user":"bob","query":"lamp","time":1577934245}\n`,
      `[${record},\n ${record}]`,
      '{"_source":{"uid":5,"q":"tea","ts":1577934245123}}\n',
    ],
  },
)
