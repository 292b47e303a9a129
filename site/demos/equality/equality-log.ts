import type { Search } from "../log/make-log.ts"

/** Whole days and minutes after the first day of the log. */
const at = (day: number, hour: number, minute: number) => Date.UTC(2026, 2, 2 + day, hour, minute) / 1000

const rows: readonly [user: string, day: number, hour: number, minute: number, query: string][] = [
  ["u1", 0, 8, 12, "weather tomorrow"],
  ["u1", 0, 8, 15, "bus timetable"],
  ["u1", 2, 19, 40, "tomato soup recipe"],
  ["u1", 2, 19, 52, "tomato soup with smoked paprika"],
  ["u2", 0, 9, 3, "weather tomorrow"],
  ["u2", 1, 20, 10, "how to repot a fern"],
  ["u2", 3, 7, 45, "bus timetable"],
  ["u3", 0, 10, 30, "tomato soup recipe"],
  ["u3", 0, 10, 41, "bread without yeast"],
  ["u3", 2, 21, 5, "weather tomorrow"],
  ["u3", 2, 21, 9, "owl sounds at night"],
  ["u4", 0, 12, 0, "bus timetable"],
  ["u4", 1, 12, 2, "bus timetable"],
  ["u4", 2, 12, 1, "bus timetable"],
  ["u4", 3, 18, 20, "second hand kayak rope"],
  ["u5", 0, 13, 14, "weather tomorrow"],
  ["u5", 0, 13, 30, "tomato soup recipe"],
  ["u5", 3, 20, 0, "owl sounds at night"],
  ["u6", 0, 14, 0, "how to repot a fern"],
  ["u6", 1, 8, 11, "weather tomorrow"],
  ["u6", 1, 8, 20, "knitting pattern penguin hat"],
  ["u6", 1, 8, 32, "knitting pattern penguin hat"],
  ["u6", 1, 8, 47, "knitting pattern penguin hat"],
  ["u7", 0, 15, 22, "tomato soup recipe"],
  ["u7", 2, 9, 30, "bread without yeast"],
  ["u7", 2, 9, 44, "weather tomorrow"],
  ["u8", 0, 16, 5, "bus timetable"],
  ["u8", 3, 16, 15, "weather tomorrow"],
  ["u8", 3, 16, 20, "lighthouse keeper diary"],
  ["u9", 1, 10, 0, "bread without yeast"],
  ["u9", 1, 10, 18, "tomato soup recipe"],
  ["u10", 1, 11, 30, "weather tomorrow"],
  ["u10", 3, 11, 2, "owl sounds at night"],
  ["u10", 3, 11, 13, "bus timetable"],
  ["u11", 2, 6, 50, "bus timetable"],
  ["u11", 2, 17, 25, "how to repot a fern"],
  ["u11", 2, 17, 31, "fern with brown tips north window"],
  ["u12", 2, 8, 8, "weather tomorrow"],
  ["u12", 3, 19, 0, "tomato soup recipe"],
  ["u12", 3, 19, 21, "bread without yeast"],
]

/** Forty searches of twelve users. Written for this page; nobody made them. */
export const equalitySearches: readonly Search[] = rows.map(([user, day, hour, minute, query]) => ({
  user,
  query,
  time: at(day, hour, minute),
}))
