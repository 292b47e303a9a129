import { gzipSync } from "node:zlib"
import { logTarget } from "../support/log-target.ts"

/** Files without any given options: packed or not, in any format. */
export const target = logTarget(
  {},
  {
    words: [
      '{"',
      "[{",
      "PAR1",
      "\x1f\x8b",
      "PK\x03\x04",
      "\u{feff}",
      "path=/select params={",
      '"query_id":',
      '"actionDetails":',
    ],
    seeds: [
      gzipSync("7\tred shoes\t2006-03-01 08:20:12\n", { level: 1 }),
      "user,query,time\nann,red shoes,2020-01-02 03:04:05\n",
      '{"user":"ann","query":"lamp","time":"2020-01-02T03:04:05Z"}\n',
      '[{"user":"ann","query":"lamp","time":1577934245},\n{"user":"bob","query":"hat","time":1577934246}]\n',
      "7\tred shoes\t2006-03-01 08:20:12\n",
      Buffer.from("PAR1 no table PAR1"),
      Buffer.from("7\tq\t2006-03-01 08:20:12\n", "utf16le"),
    ],
  },
)
