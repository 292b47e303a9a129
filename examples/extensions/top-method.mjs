// A method of your own, with its guarantee and its verifier. docs/extending.md explains it step by step.
import { isDeepStrictEqual } from "node:util"
import { registerMethod, Type } from "queryveil/extend"

const options = Type.Object({
  k: Type.Integer({ default: 10, minimum: 1, description: "require this many users of a released query" }),
  most: Type.Integer({ default: 100, minimum: 1, description: "release at most this many queries" }),
})

const schema = Type.Object({
  model: Type.Literal("x-top"),
  unit: Type.Literal("query"),
  counted: Type.Enum(["user", "session"]),
  k: Type.Integer({ minimum: 1 }),
  most: Type.Integer({ minimum: 1 }),
  statement: Type.String(),
  notCovered: Type.Array(Type.String()),
})

const guaranteeOf = ({ k, most, counted }) => ({
  model: "x-top",
  unit: "query",
  counted,
  k,
  most,
  statement: `At most ${most} query texts are released. Each has at least ${k} different ${counted}s in the log.`,
  notCovered: ["a history: several common queries of one person, read together, can still point to that person"],
})

const traits = ({ k, counted }) => ({
  shows: "queries",
  shownUnder: "searcher",
  promised: k > 1,
  inWords: [`k = ${k}: at least ${k} different ${counted}s of the log issued every query in the release.`],
})

const top = {
  name: "top",
  summary: "rows of the most common queries, each of at least k users",
  options,
  paper: {},
  async run(log, { k, most }) {
    const users = countUsers(log)
    const chosen = [...users.keys()]
      .filter((query) => users[query] >= k)
      .sort((a, b) => users[b] - users[a] || (log.queries.text(a) < log.queries.text(b) ? -1 : 1))
      .slice(0, most)
    const released = new Uint8Array(log.queries.size)
    for (const query of chosen) released[query] = 1
    return {
      kind: "queries",
      decision: { released },
      guarantee: guaranteeOf({ k, most, counted: log.unit }),
      withheld: { "other queries": log.queries.size - chosen.length },
      audit: {},
    }
  },
}

/** Distinct users of each query; a row without a user counts for nobody. */
function countUsers(log) {
  const users = Array.from({ length: log.queries.size }, () => new Set())
  for (let row = 0; row < log.rows; row++) if (log.user[row] >= 0) users[log.query[row]].add(log.user[row])
  return users.map((set) => set.size)
}

async function verifyTop({ release, log }, context) {
  const { manifest } = release
  const { k, most, counted } = manifest.guarantee
  const released = await release.log(context)
  const expected = guaranteeOf({ k: manifest.parameters.k, most: manifest.parameters.most, counted })
  const check = (name, promise, holds) => ({ name, promise, state: holds ? "passed" : "failed" })
  const checks = [
    check("manifest", "the guarantee follows from the parameters", isDeepStrictEqual(manifest.guarantee, expected)),
    check("most", `at most ${most} query texts are shown`, released.queries.size <= most),
  ]
  const users = { name: "users-original", promise: `every released query has k ${counted}s in the original` }
  if (log === undefined) return [...checks, { ...users, state: "not checked", needs: "against" }]
  const issued = new Map()
  for (let row = 0; row < log.rows; row++) {
    const text = log.queries.text(log.query[row])
    if (log.user[row] >= 0) issued.set(text, (issued.get(text) ?? new Set()).add(log.user[row]))
  }
  const texts = Array.from({ length: released.queries.size }, (_, id) => released.queries.text(id))
  const isHeld = log.unit === counted && texts.every((text) => (issued.get(text)?.size ?? 0) >= k)
  return [...checks, check(users.name, users.promise, isHeld)]
}

registerMethod(top, { model: "x-top", releases: "rows", schema, traits, verify: verifyTop })
