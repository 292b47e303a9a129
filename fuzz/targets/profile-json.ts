import { decodeStore, encodeStore } from "#dist/personal/store-json.js"
import { taxonomyStamp } from "#dist/personal/taxonomy-stamp.js"
import { smallTaxonomy as taxonomy } from "../support/small-taxonomy.ts"
import { ensure, type FuzzTarget } from "../target.ts"

const stamp = taxonomyStamp(taxonomy)

const exposure = {
  time: 1577934245,
  engine: "e",
  session: "s",
  delta: 0.1,
  sessionDelta: 0.2,
  lifetimeDelta: 0.3,
  told: [[1, 0.5]],
  layer: "l1",
  relevant: [[0, 0.5, 2]],
  exposed: [0],
}

const presentProfile = {
  version: 2,
  taxonomy: stamp,
  topics: ["Arts/Music", "Health/Sleep"],
  days: [
    [18000, 0, 2, 1, 1],
    [18001, 0, 1],
  ],
  sensitive: [[1, 2]],
  never: [0],
  settings: { delta: 0.5, on: true, name: "x" },
  layers: { l1: { taxonomy: stamp, sensitive: [[1, 2]], gone: [[0, 1]], never: [0] } },
  exposures: [exposure],
  deleted: { e: 1 },
  accounts: { shown: { e: [0] }, told: { e: [[1, 0.5]] }, lost: [[1, 2]], unknown: { e: 1 } },
}

const earlierProfile = {
  version: 1,
  taxonomy: stamp,
  topics: ["Arts"],
  days: [[18000, 0, 2]],
  sensitive: [],
  settings: {},
  layers: {},
  exposures: [],
  deleted: {},
}

/** The content of a sealed profile: refused, or a store that is the same after it is written again. */
export const target: FuzzTarget = {
  covers: ["personal/"],
  words: [
    '"topics":[',
    '"days":[',
    '"Arts"',
    '"Arts/Music"',
    '"Health"',
    '"never":[0]',
    '"told":[[0,1]]',
    "null",
    "-1",
    "1e300",
    "0.5",
  ],
  seeds: () => [JSON.stringify(presentProfile), JSON.stringify(earlierProfile)],
  check: (input) => {
    const store = decodeStore(Buffer.from(input).toString("utf8"), { taxonomy, file: "profile" })
    store.interests.profile()
    const text = encodeStore(store)
    const again = decodeStore(text, { taxonomy, file: "profile" })
    ensure(encodeStore(again) === text, "a store is read as it was written")
  },
}
