import { setTimeout as wait } from "node:timers/promises"
import { jsonOf, linesOf, type Search } from "../searches.ts"
import type { Answer } from "../sent.ts"
import type { World } from "./driver.ts"
import { ask, type Endpoint } from "./endpoint.ts"

/** A body with its key, and the answer that it got. */
interface Letter {
  key: string
  type: string
  body: string
  searches: Search[]
  answer?: string
}

/** Maximum number of letters that may be sent again; fewer than the stream remembers for all senders. */
const mostKept = 2000

/** What a sender has done. */
export interface SenderCounts {
  bodies: number
  retries: number
  repeats: number
  refused: number
}

/**
 * Sends bodies with keys, each until it has an answer, so that each is accepted once. Some are sent twice at the same
 * time, some again later, also after a restart, and some keys with another body.
 */
export async function sendBodies(
  world: World,
  options: { name: string; endpoint: Endpoint; isClosing: () => boolean; isOver: () => boolean },
): Promise<SenderCounts> {
  const { random, sent, findings } = world
  const { name, endpoint, isClosing, isOver } = options
  const counts: SenderCounts = { bodies: 0, retries: 0, repeats: 0, refused: 0 }
  const answered: Letter[] = []

  const post = async ({ key, type, body }: Letter, isFirst: boolean): Promise<string | undefined> => {
    while (!isOver()) {
      const headers = { "content-type": type, "idempotency-key": key }
      const reply = await ask(endpoint, "/records", { method: "POST", headers, body })
      if (reply?.status === 200) return reply.text
      if (reply === undefined) counts.retries += isFirst && endpoint.url !== undefined ? 1 : 0
      else if (reply.status !== 503) findings.add("a body was refused", `${name}: ${reply.status} ${reply.text}`)
      else {
        counts.refused++
        if (reply.retryAfter === null) findings.add("503 without Retry-After", name)
      }
      await wait(5 + random.below(40))
    }
    return undefined
  }

  const repeat = async (letter: Letter) => {
    counts.repeats++
    const again = await post(letter, false)
    if (again !== letter.answer)
      findings.add("a repeated request got a different answer", `${name} ${letter.key}: ${again}`)
  }

  const misuse = async (letter: Letter) => {
    const headers = { "content-type": letter.type, "idempotency-key": letter.key }
    const body = linesOf(letter.searches.slice(0, 1)).replace("user-", "other-")
    const reply = await ask(endpoint, "/records", { method: "POST", headers, body })
    if (reply !== undefined && reply.status !== 422 && reply.status !== 503)
      findings.add("a key was accepted with a different body", `${name}: ${reply.status}`)
  }

  while (!isClosing()) {
    const letter = write(world, `${name}-${counts.bodies++}`)
    const both = random.chance(0.1) ? [post(letter, true), post(letter, false)] : [post(letter, true)]
    const [first, second = first] = await Promise.all(both)
    if (first === undefined) {
      findings.add("a body was never answered", letter.key)
      break
    }
    if (second !== first)
      findings.add("a repeated request got a different answer", `${name} ${letter.key}: at the same time`)
    letter.answer = first
    for (const { id } of letter.searches) sent.taken(id)
    sent.answers.push(checkAnswer(letter, first, world))
    answered[counts.bodies % mostKept] = letter
    const earlier = answered[random.below(answered.length)]
    if (earlier !== undefined && random.chance(0.1)) await repeat(earlier)
    if (earlier !== undefined && random.chance(0.02)) await misuse(earlier)
    await wait(random.below(20))
  }
  return counts
}

function write({ random, makeSearch }: World, key: string): Letter {
  const searches = Array.from({ length: 1 + random.below(25) }, makeSearch)
  return random.chance(0.3)
    ? { key, searches, type: "application/json", body: `[${searches.map(jsonOf).join(",\n")}]` }
    : { key, searches, type: "application/x-ndjson", body: linesOf(searches) }
}

/** Checks that an answer accounts for every record of its body, and names the broken ones. */
function checkAnswer({ key, searches }: Letter, text: string, { findings }: World): Answer {
  const answer: Answer = JSON.parse(text)
  const broken = searches.flatMap(({ isBroken }, at) => (isBroken ? [at + 1] : []))
  const named = answer.rejected.map(({ line }) => line)
  if (answer.taken + answer.withheld + answer.rejectedTotal !== searches.length || `${named}` !== `${broken}`)
    findings.add("an answer does not match its body", `${key}: ${text}, ${searches.length} records, broken ${broken}`)
  return answer
}
