import { beforeAll, describe, expect, test } from "vitest"
import { marker } from "../support/aol-log.ts"
import { groupBy } from "../support/group-by.ts"
import { type Changed, failed, swapLog, swappedReleases, type TrailedRow } from "./swapped-release.ts"

const { at, fresh, userOfLine, make, check, change, changeAudit } = swappedReleases(swapLog())

beforeAll(async () => {
  await make(at("strict"))
  for (const users of ["cell", "session", "day", "pseudonym"])
    await make(at(users), { users, time: "exact", urls: "keep" })
  await make(at("paper"), { mode: "paper" })
  await make(at("clicks"), { urls: "keep", time: "exact" })
})

/** Names of the checks that fail on a changed copy. */
const failures = async (release: string, how: (changed: Changed) => void) =>
  failed(await check(change(at(release), how)))

const topicOf = ({ query }: TrailedRow) => query.split(" ")[0]
const ownerOf = ({ queryRow }: TrailedRow) => userOfLine(queryRow)
const shownUserOf = ({ userRow }: TrailedRow) => userOfLine(userRow)
const cellOf = (rows: readonly TrailedRow[], { cell }: TrailedRow) => rows.filter((row) => row.cell === cell)
/** Shows rows of a cell with users of lines of the log, under the names that these users have in the cell. */
const showWith = (cell: readonly TrailedRow[], ...changes: [rows: readonly TrailedRow[], userRow: number][]) => {
  const nameOf = new Map(cell.map((row) => [shownUserOf(row), row.name]))
  for (const [rows, userRow] of changes) {
    const name = nameOf.get(userOfLine(userRow)) ?? "uaaaaaaaaaaaa"
    for (const row of rows) Object.assign(row, { name, userRow })
  }
}

describe("records that were changed, and the trail with them", () => {
  test("one returned to its own user, who changes places with the one shown", async () => {
    const giveBack = (rows: TrailedRow[]) => {
      const [one] = rows
      const cell = cellOf(rows, one)
      const mine = cell.filter((row) => ownerOf(row) === ownerOf(one))
      const other = cell.filter((row) => shownUserOf(row) === ownerOf(one))
      showWith(cell, [other, one.userRow], [mine, other[0].userRow])
    }
    expect(await failures("strict", ({ rows }) => giveBack(rows))).toEqual(["own-records"])
  })

  test("one returned to its own user by the paper's algorithm", async () => {
    const failing = await failures("paper", ({ rows }) => {
      const [one] = rows
      const mine = rows.filter(({ queryRow, cell }) => queryRow === one.queryRow || cell === one.cell)
      showWith(rows, [mine, one.queryRow])
    })
    expect(failing).toContain("own-records")
  })

  test("a cell of k users", async () => {
    const failing = await failures("strict", ({ rows }) => {
      const [one] = rows
      const gone = cellOf(rows, one).filter((row) => ownerOf(row) === ownerOf(one))
      const kept = rows.filter((row) => !gone.includes(row))
      rows.splice(0, rows.length, ...kept)
    })
    expect(failing).toContain("cells")
  })

  test("two cells called one", async () => {
    const failing = await failures("strict", ({ rows }) => {
      const other = rows.find(({ cell }) => cell !== rows[0].cell)?.cell
      for (const row of rows) if (row.cell === other) row.cell = rows[0].cell
    })
    expect(failing).toContain("cells")
  })

  test("a user shown twice in a cell", async () => {
    const failing = await failures("strict", ({ rows }) => {
      const [one] = rows
      const cell = cellOf(rows, one)
      const other = cell.find((row) => ownerOf(row) !== ownerOf(one) && shownUserOf(one) !== ownerOf(row))
      if (other === undefined) throw new Error("no such row")
      const others = cell.filter((row) => ownerOf(row) === ownerOf(other))
      showWith(cell, [others, one.userRow])
    })
    expect(failing).toEqual(["cells"])
  })

  test("a user from outside the cell", async () => {
    const failing = await failures("strict", ({ rows }) => {
      const [one] = rows
      const inside = cellOf(rows, one)
      const isTopic = ({ query }: TrailedRow) => query.split(" ")[0] === one.query.split(" ")[0]
      const stranger = rows.find(
        (row) => isTopic(row) && inside.every((member) => ownerOf(member) !== shownUserOf(row)),
      )
      const mine = inside.filter((row) => ownerOf(row) === ownerOf(one))
      showWith(inside, [mine, stranger?.userRow ?? 0])
    })
    expect(failing).toEqual(["cells"])
  })

  test("fewer users said to have waited", async () => {
    const fewer = ({ rows }: Changed) => {
      for (const row of rows) if (row.cell === rows[0].cell) row.users = 3
    }
    expect(await failures("strict", fewer)).toEqual(["cells"])
    expect(await failures("paper", fewer)).toEqual(["pool"])
  })

  test("a record that lends its user twice", async () => {
    const failing = await failures("paper", ({ rows }) => {
      const one = rows.find((row) => row.cell !== rows[0].cell && shownUserOf(row) === shownUserOf(rows[0]))
      const cell = one?.cell
      for (const row of rows) if (row.cell === cell) row.userRow = rows[0].userRow
    })
    expect(failing).toContain("pool")
  })

  test("two times in a cell", async () => {
    const failing = await failures("strict", ({ rows }) => {
      const mine = cellOf(rows, rows[0]).filter((row) => ownerOf(row) === ownerOf(rows[0]))
      const later = rows.find(({ rest }) => rest[0] > mine[0].rest[0]) ?? rows[1]
      for (const row of mine) row.rest = row.rest.with(0, later.rest[0])
    })
    expect(failing).toEqual(["cell-times"])
  })

  test("a cell at a time before its searches, or after the log", async () => {
    for (const time of ["2006-03-01 12:00:00", "2007-01-01 00:00:00"]) {
      const failing = await failures("strict", ({ rows }) => {
        const last = rows.reduce((latest, row) => (row.rest[0] > latest.rest[0] ? row : latest))
        for (const row of rows) if (row.cell === last.cell) row.rest = row.rest.with(0, time)
      })
      expect(failing).toEqual(["cell-times"])
    }
  })

  test("another time where records show their own", async () => {
    const failing = await failures("paper", ({ rows }) => {
      for (const row of rows) if (row.cell === rows[0].cell) row.rest = row.rest.with(0, "2006-03-09 12:00:00")
    })
    expect(failing).toEqual(["own-times"])
  })

  test("a text of nobody, of another line, or of another user", async () => {
    for (const text of [`poodle ${marker}`, "poodle red"]) {
      const failing = await failures("strict", ({ rows }) => {
        const one = rows.find(({ query }) => query.includes(marker)) ?? rows[0]
        one.query = text
      })
      expect(failing).toEqual(["rows"])
    }
  })

  test("a text that names a person", async () => {
    expect(
      await failures("strict", ({ rows }) => {
        rows[0].query = "mary johnson phone number"
      }),
    ).toEqual(["scrub", "rows"])
  })

  test("another url, another rank, and a url hidden or invented", async () => {
    const rests: ((rest: string[]) => string[])[] = [
      (rest) => rest.with(2, "http://other.example"),
      (rest) => rest.with(1, "9"),
      (rest) => [rest[0], "", ""],
    ]
    for (const how of rests) {
      const failing = await failures("clicks", ({ rows }) => {
        const one = rows.find(({ rest }) => rest[2] !== "") ?? rows[0]
        one.rest = how(one.rest)
      })
      expect(failing).toContain("rows")
    }
  })

  test("a search without one of its clicks, and one that occurs twice", async () => {
    const clicked = (rows: readonly TrailedRow[]) =>
      rows.findIndex((row, i) =>
        rows.some(
          (other, j) =>
            j !== i &&
            other.queryRow === row.queryRow + 1 &&
            other.query === row.query &&
            other.rest[0] === row.rest[0] &&
            other.rest[2] !== "" &&
            row.rest[2] !== "",
        ),
      )
    expect(await failures("clicks", ({ rows }) => rows.splice(clicked(rows), 1))).toEqual(["rows"])
    expect(await failures("clicks", ({ rows }) => rows.push({ ...rows[0] }))).toEqual(["rows"])
  })

  test("a text of another category", async () => {
    const failing = await failures("strict", ({ rows }) => {
      // Two queries of one user, on different topics, change places.
      const [one] = rows
      const other = rows.find((row) => ownerOf(row) === ownerOf(one) && topicOf(row) !== topicOf(one))
      if (other === undefined) throw new Error("no such row")
      const [first, second] = [one, other].map((row) =>
        cellOf(rows, row).filter((member) => ownerOf(member) === ownerOf(row)),
      )
      const [here, there] = [one, other].map(({ name, userRow, cell, rest }) => ({
        name,
        userRow,
        cell,
        time: rest[0],
      }))
      for (const row of first) Object.assign(row, there, { rest: row.rest.with(0, there.time) })
      for (const row of second) Object.assign(row, here, { rest: row.rest.with(0, here.time) })
    })
    expect(failing).toContain("topics")
  })

  test("cells across categories that the audit distinguishes, and categories below the depth", async () => {
    const release = await make(fresh(), { depth: "1" })
    const audit = changeAudit(release, "categories", (lines) => {
      const animals = lines.findIndex((line) => line.startsWith("Animals\t"))
      const [, ...counts] = lines[animals].split("\t")
      for (const path of ["Animals/Dogs/Poodle", "Animals/Dogs/Beagle"]) lines.push([path, ...counts].join("\t"))
    })
    expect(failed(await check(release, { audit }))).toEqual(["topics"])
    expect(
      await failures("strict", ({ manifest }) => {
        manifest.parameters.depth = "1"
      }),
    ).toEqual(["topics"])
  })

  test.each([
    ["cell", ["repeats"]],
    ["pseudonym", ["manifest", "repeats"]], // which states that repeats are not covered
  ])("a repeated query in two cells, with --users %s", async (users, expected) => {
    const release = await make(fresh(), { repeats: "keep", users })
    const promised = change(release, ({ manifest }) => {
      manifest.parameters.repeats = "once"
    })
    expect(failed(await check(promised))).toEqual(expected)
  })

  test("queries of fewer users than the parameters say", async () => {
    expect(
      await failures("strict", ({ manifest }) => {
        manifest.parameters.minQueryUsers = 2
      }),
    ).toEqual(["query-users"])
  })

  /** Gives a user of several cells one name. */
  const joinNames = (rows: readonly TrailedRow[]) => {
    const users = [...groupBy(rows, shownUserOf).values()]
    const own =
      users.find((some) => some.some(({ name, cell }) => name !== some[0].name && cell !== some[0].cell)) ?? []
    for (const row of own) row.name = own[0].name
  }
  /** Of two searches that share a name, a cell and a time, the one without a click gets a name of its own. */
  const splitName = (rows: readonly TrailedRow[]) => {
    const groups = [...groupBy(rows, ({ name, cell, rest: [time] }) => `${name} ${cell} ${time}`).values()]
    const one = groups.flatMap((some) => (some.length > 1 ? some : [])).find(({ rest: [, , url] }) => url === "")
    if (one === undefined) throw new Error("no such row")
    one.name = "uaaaaaaaaaaaa"
  }
  const mergeUsers = (rows: readonly TrailedRow[]) => {
    const other = rows.find(({ name }) => name !== rows[0].name)?.name ?? ""
    for (const row of rows) if (row.name === other) row.name = rows[0].name
  }
  const showOwnId = (rows: readonly TrailedRow[]) => {
    const { name } = rows[0]
    for (const row of rows) if (row.name === name) row.name = shownUserOf(row)
  }

  const names = (["cell", "session", "day", "pseudonym"] as const).flatMap((users) => [
    ["a name of two users", users, mergeUsers] as const,
    ["a user of two names in a cell", users, splitName] as const,
    ["a user's own id", users, showOwnId] as const,
    ...(users === "pseudonym" ? [] : [["one name for all cells of a user", users, joinNames] as const]),
  ])
  test.each(names)("%s, with --users %s", async (_what, users, how) => {
    expect(await failures(users, ({ rows }) => how(rows))).toContain("users-shown")
  })

  test("urls of fewer than k users", async () => {
    expect(
      await failures("clicks", ({ manifest }) => {
        manifest.parameters.urls = "threshold"
      }),
    ).toEqual(["urls"])
  })
})
