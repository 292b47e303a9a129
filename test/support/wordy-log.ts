import { seededRandom } from "#dist/kernels/random.js"

const words = [
  ...["the", "of", "cheap", "hotel", "hotels", "paris", "london", "rome", "flights", "to", "map", "weather", "in"],
  ...["car", "insurance", "quotes", "free", "online", "games", "news", "john smith", "mary jones", "東京の天気"],
]

/** A log of short queries from few words, so that many queries are similar. Some name persons. */
export function wordyLog({ seed, rows, users }: { seed: number; rows: number; users: number }): string {
  const random = seededRandom(seed)
  /** Small numbers come more often. */
  const draw = (size: number) => Math.floor(size * (random.uint32() / 2 ** 32) ** 2)
  const lines = ["user\tquery\ttime"]
  for (let row = 0; row < rows; row++) {
    const query = Array.from({ length: 1 + draw(5) }, () => words[draw(words.length)]).join(" ")
    const time = new Date(Date.UTC(2006, 2, 1) + 1000 * draw(2_000_000)).toISOString().slice(0, 19).replace("T", " ")
    lines.push(`u${draw(users)}\t${query}\t${time}`)
  }
  return `${lines.join("\n")}\n`
}
