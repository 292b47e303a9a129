import { once } from "node:events"
import { existsSync } from "node:fs"
import { request } from "node:http"
import { afterAll } from "vitest"
import { sensitiveTopics } from "#dist/personal/cost-layer.js"
import { builtIn } from "#dist/personal/engines/built-in.js"
import type { SearchEngine } from "#dist/personal/engines/engine.js"
import { emptyStore, type PersonalStore } from "#dist/personal/personal-store.js"
import { ProfileFile } from "#dist/personal/profile-file.js"
import { PersonalProxy } from "#dist/personal/proxy/personal-proxy.js"
import { openPersonal } from "#dist/server/personal/personal-server.js"
import type { TopicSearcher } from "#dist/taxonomy/classify/topic-searcher.js"

export const token = "the-token-of-this-run"
export const passphrase = "a few words"
const today = Date.parse("2026-03-04T12:00:00Z")

/** A person who likes a team, birds and ice. Some of it is sensitive. */
function someone({ taxonomy }: TopicSearcher): PersonalStore {
  const store = emptyStore(taxonomy)
  const read = {
    "Sports/Football/Eagles": 6,
    "Science/Birds/Eagles": 2,
    "Science/Birds/Owls": 3,
    "Sports/Ice skating/Figure": 3,
    Adults: 2,
    "Arts/Music/Instrument/Piano": 1,
  }
  for (const [path, count] of Object.entries(read)) store.interests.add(taxonomy.find(path), { day: 20_000, count })
  store.sensitive = sensitiveTopics(taxonomy, [
    [taxonomy.find("Adults"), 1],
    [taxonomy.find("Science/Birds/Eagles"), 0.5],
  ])
  store.settings = { delta: 0.2, sessionDelta: 0.5, lifetimeDelta: 0.5, sensitiveQueries: "send" }
  return store
}

/** Keeps the store in memory, if a test needs no disk: deriving a key from a passphrase takes time. */
function inMemory(searcher: TopicSearcher) {
  return { store: someone(searcher), save: async () => {} }
}

interface Asked {
  method?: string
  body?: unknown
  headers?: Record<string, string>
}

/** The server of a person, on a free port. `path` is where the profile is, or where it is made. */
export async function servePerson(options: {
  searcher: TopicSearcher
  path?: string
  engines?: readonly SearchEngine[]
  page?: string
}) {
  const { searcher, engines = [], path } = options
  const file = path === undefined ? inMemory(searcher) : await openFile(path, searcher)
  const proxy = new PersonalProxy({ file, searcher, engines: [await builtIn(searcher), ...engines], now: () => today })
  const server = await openPersonal(proxy, {
    port: 0,
    token,
    taxonomy: "sample",
    page: options.page ?? "/no/page",
  })
  afterAll(() => server.close())
  const port = server.address.kind === "tcp" ? server.address.port : 0
  const ask = async (address: string, { method, body, headers }: Asked = {}) => {
    const asked = request({
      port,
      agent: false,
      host: "127.0.0.1",
      path: address,
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    }).end(typeof body === "string" ? body : JSON.stringify(body))
    const [answer] = await once(asked, "response")
    let text = ""
    for await (const chunk of answer) text += chunk
    return { status: Number(answer.statusCode), headers: answer.headers, text }
  }
  /** Asks with the token. Returns the answer as JSON. */
  const api = async (address: string, asked: Asked = {}) => {
    const answer = await ask(address, { ...asked, headers: { authorization: `Bearer ${token}`, ...asked.headers } })
    return { status: answer.status, ...JSON.parse(answer.text) }
  }
  const list = async (address: string) =>
    JSON.parse((await ask(address, { headers: { authorization: `Bearer ${token}` } })).text)
  return { ask, api, list, proxy, port }
}

async function openFile(path: string, searcher: TopicSearcher): Promise<ProfileFile> {
  if (!existsSync(path)) return ProfileFile.create(path, { passphrase, store: someone(searcher) })
  return ProfileFile.open(path, { passphrase, taxonomy: searcher.taxonomy })
}
