import * as fc from "fast-check"
import { expect, test } from "vitest"
import { linkByMemberCells } from "#dist/kernels/linkage/member-cells.js"
import { seededRandom } from "#dist/kernels/random.js"
import { anyWordStream, largestOf, unitsByCell, weigher, wordStreamOf, wordsOf } from "../support/word-streams.ts"

test("names by the cells of members are those with the most votes by plain lists, and none without votes", () => {
  fc.assert(
    fc.property(anyWordStream, fc.nat(), ({ rows, words, k }, seed) => {
      const { stream, cell } = wordStreamOf(rows)
      const named = linkByMemberCells(stream, { k, cell, words: wordsOf(words), random: seededRandom(seed) })
      const cells = unitsByCell(rows)
      const weight = weigher(cells, words) // no word is in more than 60 units
      for (const [i, { user, text, cell: number }] of rows.entries()) {
        const own = cells.find(([first]) => first?.cell === number) ?? []
        const unit = own.find(({ name, text: shown }) => name === user && shown === text)
        if (unit === undefined || own.length > largestOf(k)) {
          expect(named[i]).toBe(-1)
          continue
        }
        const votesFor = (member: number) => {
          // A cell that shows a name twice is in the name's list twice.
          const others = cells
            .filter((other) => other !== own)
            .flatMap((other) => other.filter(({ name }) => name === member).map(() => other))
          return others.reduce((sum, other) => {
            const weights = other.filter(({ name }) => name !== member).map((by) => weight(unit, by))
            return sum + Math.max(0, ...weights)
          }, 0)
        }
        const members = [...new Set(own.map(({ name }) => name))].filter((name) => name !== user)
        const votes = members.map((member) => ({ member, votes: votesFor(member) }))
        const most = Math.max(0, ...votes.map((one) => one.votes))
        const best = votes.filter((one) => one.votes > most - 1e-5).map(({ member }) => member)
        if (most < 1e-9) expect(named[i]).toBe(-1)
        else expect(best).toContain(named[i])
      }
    }),
    { numRuns: 200 },
  )
})
