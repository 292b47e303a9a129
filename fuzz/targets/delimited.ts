import { logTarget } from "../support/log-target.ts"

/** Delimited text with a header: CSV with quotes, semicolons, bars, tabs. */
export const target = logTarget(
  { format: "delimited" },
  {
    words: ["user", "query", "time", "rank", "url", "session", '""', '"\n"', "user,query,time\n", "sessionid"],
    seeds: [
      'user,query,time\nann,"red, ""big"" shoes",2020-01-02 03:04:05\nbob,hat,1577934245\n',
      "time;query;visitor;position;link\n2020-01-02T03:04:05+01:00;red hat;v1;3;http://a.example\n",
      "ann|lamp|02.01.2020 03:04\nbob|hat|03.01.2020 04:05\n",
      'sid\tq\tts\n1\t"a\t20200102030405\n',
    ],
  },
)
