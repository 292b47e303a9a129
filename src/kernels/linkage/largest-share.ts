import { countIds, forEachCategory, type ReleasedStream } from "./released-stream.ts"

/**
 * Names the user, other than the one shown, who was shown most often in the category so far. Swapping leaves every user
 * with as many records as they issued. So a user who issues 30 % of a category is named rightly for 30 % of it,
 * whatever k is. Among equals, names the user who reached that number first. Names nobody if nobody else was shown yet.
 * O(1) per record: only the user just shown can overtake, so it is enough to keep the two largest.
 */
export function linkToLargestShare(stream: ReleasedStream): Int32Array {
  const { user } = stream
  const named = new Int32Array(user.length).fill(-1)
  const count = new Int32Array(countIds(user))
  forEachCategory(stream, (records) => {
    let first = -1
    let second = -1
    for (let i = 0; i < records.length; i++) {
      const shown = user[records[i]]
      named[records[i]] = first === shown ? second : first
      const shows = ++count[shown]
      if (shown === first) continue
      if (first < 0 || shows > count[first]) {
        second = first
        first = shown
      } else if (shown !== second && (second < 0 || shows > count[second])) second = shown
    }
    for (let i = 0; i < records.length; i++) count[user[records[i]]] = 0
  })
  return named
}
