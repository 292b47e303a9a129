import { logTarget } from "../support/log-target.ts"

const rows = "7\tred shoes\t2006-03-01 08:20:12\t1\thttp://shop.example\n7\tblue hat\t2006-03-01 08:21:00\t\t\n"

/** The layout of AOL's release, with and without its header. */
export const target = logTarget(
  { format: "aol" },
  {
    words: ["AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n", "2006-03-01 08:20:12", "\u{feff}", "é", "\0"],
    seeds: [rows, `AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n${rows}`],
  },
)
