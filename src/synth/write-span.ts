import { stepHash } from "../kernels/dictionary.ts"
import { mixWords, seededStream } from "../kernels/random.ts"
import type { Span } from "./activity.ts"
import type { Author } from "./author.ts"
import { createClicker } from "./clicks.ts"
import { createComposer } from "./compose.ts"
import { model } from "./model.ts"
import { createRhythm, periodEnd, periodStart } from "./rhythm.ts"
import { createRowBuffer, type RowBuffer } from "./row-buffer.ts"
import { createSearcher } from "./searcher.ts"
import { type SecretKind, secretsOf } from "./secrets.ts"
import type { ShardSettings } from "./shard.ts"
import { createSuccessors } from "./successors.ts"
import type { Vocabulary } from "./vocabulary.ts"
import { longestWord, wordWriter } from "./word-codes.ts"

/** Receives what a span writer reports besides the rows. */
export interface SpanListener {
  secret(row: number, kind: SecretKind): void
  /** A query that is new to its user. Its text is text[0, length). */
  query(text: Uint8Array, length: number, topic: number): void
}

/** Mean rows of a session. Used only for the distance between sessions. */
const rowsPerSession = 4.4
const idle = 1800
/** Twice the time that a row takes, including the pause between sessions. */
const secondsPerRow = 960

/** Writes the rows of spans, one after another. A span's rows depend only on the settings and the span. */
export function createSpanWriter(vocabulary: Vocabulary, settings: ShardSettings, listener: SpanListener) {
  const random = seededStream()
  const author: Author = { random, key: 0 }
  const salt = mixWords(settings.seed ^ 0x6f776e, Math.floor(settings.seed / 2 ** 32))
  const words = wordWriter(vocabulary, settings.seed)
  const composer = createComposer(vocabulary, settings.seed)
  const successors = createSuccessors(vocabulary, composer, settings.seed)
  const searcher = createSearcher(composer, { follow: settings.follow, successors })
  const clicker = createClicker(words, settings.seed)
  const rhythm = createRhythm()
  const rows: RowBuffer = createRowBuffer(1 << 21)
  const text = new Uint8Array((model.mostWords + 8) * longestWord)
  const prefix = new Uint8Array(24)
  let length = 0
  let hash = 0
  let written = 0
  /** The span that is being written: the rows that are left, the time of the next row, and the limits. */
  const span = { budget: 0, left: 0, time: 0, end: 0, hurry: 1, idLength: 0, secrets: noSecrets }

  const render = () => {
    const { codes, length: count } = searcher.draft
    let at = 0
    for (let i = 0; i < count; i++) {
      if (i > 0) text[at++] = 32
      at = words.word(text, at, codes[i])
    }
    setText(at)
  }
  const setText = (end: number) => {
    length = end
    hash = 0x811c9dc5
    for (let i = 0; i < end; i++) hash = stepHash(hash, text[i])
  }

  const nextSecret = () => {
    const { secrets, budget, left } = span
    return secrets.length > 0 && budget - left >= secrets[secrets.length - 1].at ? secrets.pop() : undefined
  }

  /** A search: its page of results, and the further pages that the user looks at. */
  const writeSearch = () => {
    const secret = nextSecret()
    if (secret === undefined) {
      const isNew = searcher.next(author)
      render()
      if (isNew) listener.query(text, length, searcher.draft.topic)
    } else setText(Buffer.from(secret.text, "latin1").copy(text))
    let page = 0
    do {
      writePage(page, secret)
      span.time = Math.min(span.end - 1, span.time + Math.ceil((5 - 45 * Math.log(1 - random.unit())) * span.hurry))
      if (random.unit() < model.furtherPage) page++
    } while (span.left > 0 && random.unit() < model.nextPage)
  }

  /** A page of results: a row for each click, or one row. */
  const writePage = (page: number, secret: Secret | undefined) => {
    const clicks = secret === undefined ? clicker.count(searcher.draft, random) : 0
    const lines = Math.min(span.left, Math.max(1, clicks))
    let rank = page * 10
    for (let i = 0; i < lines; i++) {
      rows.room(length + 256)
      rows.put(prefix, span.idLength)
      rows.put(text, length)
      rows.bytes[rows.at++] = 9
      rows.time(span.time)
      rows.bytes[rows.at++] = 9
      if (clicks > 0) rank = clicker.write(rows, { draft: searcher.draft, hash, rank, first: i === 0 }, random)
      else rows.bytes[rows.at++] = 9
      rows.bytes[rows.at++] = 10
      if (secret !== undefined) listener.secret(written, secret.kind)
      written++
    }
    span.left -= lines
  }

  const setPrefix = (user: number) => {
    const id = String(1000 + user * 11 + (mixWords(settings.seed ^ 3, user) % 11))
    for (let i = 0; i < id.length; i++) prefix[i] = id.charCodeAt(i)
    prefix[id.length] = 9
    span.idLength = id.length + 1
  }

  const writeSpan = ({ user, part, parts, rows: budget }: Span) => {
    random.reseed(settings.seed, user, 0)
    author.key = mixWords(salt, user) // one to one
    searcher.meet(author)
    const shift = parts > 1 ? 0 : (random.below(5) - 2) * 3600
    if (part > 0) random.reseed(settings.seed, user, part)
    setPrefix(user)
    span.secrets = part === 0 ? planSecrets(user, budget) : noSecrets

    const shareEnd = (part + 1) / parts
    let share = part / parts
    const end = part + 1 < parts ? rhythm(shareEnd) : periodEnd
    let earliest = part > 0 ? rhythm(share) : periodStart
    // The busiest users are faster, not active for longer: their rows are made to fit into the time.
    const hurry = Math.min(1, (end - earliest) / budget / secondsPerRow)
    span.budget = budget
    span.left = budget
    span.end = end
    span.hurry = hurry

    while (span.left > 0) {
      const sessions = Math.max(1, span.left / rowsPerSession)
      share = Math.min(shareEnd, share - (Math.log(1 - random.unit()) * (shareEnd - share)) / (sessions + 1))
      span.time = Math.min(end - 1, Math.max(earliest, rhythm(share) + shift))
      searcher.sit(author)
      do {
        writeSearch()
        span.time = Math.min(end - 1, span.time + Math.floor(25 * hurry - 60 * Math.log(1 - random.unit()) * hurry))
      } while (span.left > 0 && random.unit() < model.anotherSearch)
      earliest = Math.min(end - 1, span.time + Math.ceil(idle * hurry))
    }
  }

  /** When the user searches each secret, in rows from the start. In reverse order: the last one comes first. */
  const planSecrets = (user: number, budget: number) => {
    const { seed, users, secretsPerUser } = settings
    if (secretsPerUser === 0) return noSecrets
    return secretsOf(user, { seed, users, perUser: secretsPerUser })
      .flatMap(({ kind, text: secretText, searches }) =>
        Array.from({ length: searches }, () => ({ kind, text: secretText, at: random.below(budget) })),
      )
      .sort((a, b) => b.at - a.at)
  }

  return {
    writeSpan,
    /** The rows written since the last call. */
    take: () => {
      written = 0
      return rows.take()
    },
  }
}

/** A secret, and when it is searched: in rows from the start of the span. */
interface Secret {
  kind: SecretKind
  text: string
  at: number
}

const noSecrets: Secret[] = []
