import { rdf } from "./odp-dump.ts"

/** Table 2 of Shou et al. 2014: the topics of "Eagles", with the same numbers of pages, and the texts of the pages. */
const eagles: [topic: string, texts: string[]][] = [
  [
    "Top/Arts/Music/Artists/Eagles",
    [
      "Eagles fan page",
      "The Eagles: Hotel California",
      "Lyrics of the Eagles",
      "Eagles tour dates",
      "Eagles discography",
    ],
  ],
  [
    "Top/Sports/American_football/NFL/Philadelphia_Eagles",
    ["Philadelphia Eagles official site", "Eagles news and scores", "Eagles message board"],
  ],
  ["Top/Science/Biology/Animals/Birds/Raptors/Eagles", ["Bald eagles of the north", "Golden Eagle: habitat and nests"]],
  ["Top/Society/Military/Aviation/Aircraft/Fighters/F-15", ["F-15 Eagle, a fighter aircraft"]],
]
/** Pages of the same topics and of others that the query does not find. */
const others: [topic: string, texts: string[]][] = [
  ["Top/Arts/Music/Artists/Queen", ["Queen: a rock band", "Bohemian rhapsody"]],
  ["Top/Science/Biology/Animals/Birds/Raptors/Eagles", ["Raptors and their nests"]],
  ["Top/Society/Military/Aviation/Aircraft/Fighters/F-15", ["Engines of the F-15", "Pilots"]],
]

function* pathsOf(topic: string): Generator<string> {
  const names = topic.split("/")
  for (let length = 1; length <= names.length; length++) yield names.slice(0, length).join("/")
}

/** A dump with the topics of Table 2, as structure and content in one file. */
export function eaglesDump(): string {
  const all = [...eagles, ...others]
  const topics = new Set(all.flatMap(([topic]) => [...pathsOf(topic)]))
  const pages = all.flatMap(([topic, texts]) =>
    texts.map((text) => `<ExternalPage><d:Title>${text}</d:Title><topic>${topic}</topic></ExternalPage>`),
  )
  return rdf([...Array.from(topics, (id) => `<Topic r:id="${id}"/>`), ...pages].join("\n"))
}

/** The content of Table 2: path and relevance. */
export const tableTwo = Object.fromEntries(eagles.map(([topic, texts]) => [topic.slice("Top/".length), texts.length]))
