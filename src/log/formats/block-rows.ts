import { dictionaryFrom } from "../../kernels/dictionary.ts"
import { unknownRank } from "../search-log.ts"
import { type ParsedBlock, type ParsedTexts, type RejectReason, rejectReasons } from "./parsed-block.ts"

/** A row of a block as an object. `line` counts from 1 at the start of the block. */
export interface BlockRow {
  line: number
  user: string
  query: string
  /** UTC seconds. */
  time: number
  rank: number | undefined
  url: string | undefined
  category: string | undefined
}

/** The rows of a block as objects, and the lines that are not rows. */
export function rowsOfBlock(block: ParsedBlock): {
  rows: BlockRow[]
  rejects: { line: number; reason: RejectReason }[]
} {
  const [users, queries, urls] = [textsOf(block.users), textsOf(block.queries), textsOf(block.urls)]
  const { categories } = block
  const topics = categories && textsOf(categories.texts)
  const rows = Array.from(block.line, (line, row) => {
    const [rank, url, category] = [block.rank[row], block.url[row], categories?.category[row] ?? -1]
    return {
      line,
      user: users(block.user[row]),
      query: queries(block.query[row]),
      time: block.time[row],
      rank: rank === unknownRank ? undefined : rank,
      url: url < 0 ? undefined : urls(url),
      category: category < 0 ? undefined : topics?.(category),
    }
  })
  const rejects = Array.from(block.rejectLine, (line, at) => ({ line, reason: rejectReasons[block.rejectReason[at]] }))
  return { rows, rejects }
}

function textsOf({ arena, offsets }: ParsedTexts): (id: number) => string {
  const texts = dictionaryFrom({ arena, offsets })
  return (id) => texts.text(id)
}
