import type { Search } from "../log/make-log.ts"

type Topic = "food" | "travel" | "garden"

const rows: readonly [user: string, topic: Topic, query: string][] = [
  ["u1", "food", "lentil soup with lemon"],
  ["u2", "garden", "when to prune a plum tree"],
  ["u3", "food", "crisp oven potatoes"],
  ["u4", "travel", "night train to the coast"],
  ["u5", "food", "bread without kneading"],
  ["u1", "travel", "cheap hostel by the lake"],
  ["u6", "garden", "moss in the lawn"],
  ["u7", "food", "how long to soak chickpeas"],
  ["u8", "travel", "bicycle on a night train"],
  ["u2", "food", "rhubarb cake"],
  ["u3", "garden", "tomatoes on a balcony"],
  ["u9", "travel", "ferry timetable islands"],
  ["u3", "food", "what to do with stale bread"],
  ["u10", "garden", "compost smells bad"],
  ["u4", "food", "rhubarb cake"],
  ["u5", "travel", "quiet beach in may"],
  ["u11", "garden", "bulbs to plant in autumn"],
  ["u6", "food", "dumplings with cabbage"],
  ["u12", "travel", "packing list for a week of hiking"],
  ["u7", "garden", "blackbird eats strawberries"],
  ["u8", "food", "pickled cucumbers"],
  ["u1", "food", "soup for twenty people"],
  ["u2", "travel", "walk from hut to hut"],
  ["u9", "garden", "fern for a dark corner"],
  ["u10", "food", "dark rye bread"],
  ["u4", "garden", "how deep to plant garlic"],
  ["u11", "travel", "rail pass for a month"],
  ["u12", "food", "jam with little sugar"],
  ["u5", "garden", "snails and lettuce"],
  ["u6", "travel", "old town with canals"],
  ["u9", "food", "noodles from scratch"],
  ["u8", "garden", "cut back lavender"],
  ["u10", "travel", "camping with a tent on an island"],
  ["u11", "food", "pea soup"],
  ["u1", "garden", "apple tree in a pot"],
  ["u3", "travel", "sleeping car with a dog"],
  ["u12", "garden", "which soil for blueberries"],
  ["u7", "travel", "cable car opening hours"],
  ["u2", "garden", "when to sow spinach"],
  ["u5", "food", "pancakes without eggs"],
]

/** Forty searches of twelve users in three topics. Written for this page; nobody made them. */
export const swapSearches: readonly Search[] = rows.map(([user, topic, query], i) => ({
  user,
  topic,
  query,
  time: Date.UTC(2026, 2, 2, 8, 13 * i) / 1000,
}))
