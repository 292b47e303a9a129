import { describe, expect, test } from "vitest"
import { marker, timeAfter } from "../support/aol-log.ts"
import { isOpen } from "../support/open-checks.ts"
import { cellsOf, setCell, withCell } from "../support/tamper.ts"
import { type Kind, townReleases } from "./town-release.ts"

// Row counts and digests are recomputed in every copy, so only a check of the guarantee can show the change.
const { at, change, check, failures } = townReleases()
const [user, query, time, rank, url] = [0, 1, 2, 3, 4]

const isWeather = (cells: string[]) => cells[query] === "weather"
const isClicked = (cells: string[]) => cells[url] !== ""
const rowsOf = (lines: string[], text: string) => lines.filter((line) => cellsOf(line)[query] === text)

/** Moves all rows of one name to another. */
function rename(lines: string[], from: string, to: string): void {
  for (const [i, line] of lines.entries()) if (cellsOf(line)[user] === from) lines[i] = withCell(line, user, to)
}

describe("a release that was not changed", () => {
  test.each<Kind>(["sessions", "users", "exact", "jsonl", "parquet"])("verifies: %s", async (kind) => {
    const checks = await check(at(kind))
    expect(checks.filter(isOpen)).toEqual([])
  })

  test("verifies if its files were only rewritten", async () => {
    expect(await failures(() => {})).toEqual([])
    expect(await failures(() => {}, "jsonl")).toEqual([])
  })

  test("passes with its names in another order", async () => {
    const failed = await failures(({ lines }) => {
      const name = cellsOf(lines[1])[user]
      const count = lines.filter((line) => cellsOf(line)[user] === name).length
      lines.push(...lines.splice(1, count))
    })
    expect(failed).toEqual([])
  })
})

describe("rows that are not all there", () => {
  test("a query that fell under k because rows are missing", async () => {
    const failed = await failures(({ lines }) => {
      const [first = ""] = rowsOf(lines, "maps")
      lines.splice(lines.indexOf(first), 1)
    })
    expect(failed).toEqual(expect.arrayContaining(["users-release", "rows"]))
  })

  test("a row missing from a query that still has k users", async () => {
    const failed = await failures(({ lines }) => {
      const [first = ""] = rowsOf(lines, "weather")
      lines.splice(lines.indexOf(first), 1)
    })
    expect(failed).toContain("rows")
    expect(failed).not.toContain("users-release")
  })
})

describe("rows that should not be there", () => {
  const anyName = "uaaaaaaaaaaaa"
  const rowFor = (text: string, name: string) => [name, text, "2006-03-01 12:00:00", "", ""].join("\t")

  test("a rare query of the original", async () => {
    const failed = await failures(({ lines }) => lines.push(rowFor(`${marker} of 3`, anyName)))
    expect(failed).toContain("users-original")
  })

  test("a rare query of the original, under k names", async () => {
    const failed = await failures(({ lines }) => {
      for (const letter of "bcd") lines.push(rowFor(`shared ${marker}`, `u${letter.repeat(12)}`))
    })
    expect(failed).toContain("users-original")
    expect(failed).not.toContain("users-release")
  })

  test("a query that is not in the original at all, under k names", async () => {
    const failed = await failures(({ lines }) => {
      for (const letter of "bcd") lines.push(rowFor("never asked", `u${letter.repeat(12)}`))
    })
    expect(failed).toContain("users-original")
  })

  test.each<Kind>(["sessions", "jsonl"])("are reported by their number in the file: %s", async (kind) => {
    const place = 7
    const folder = change(({ lines }) => {
      const before = kind === "jsonl" ? place - 1 : place
      const row = {
        AnonID: anyName,
        Query: `${marker} of 3`,
        QueryTime: "2006-03-01 12:00:00",
        ItemRank: null,
        ClickURL: null,
      }
      lines.splice(before, 0, kind === "jsonl" ? JSON.stringify(row) : rowFor(row.Query, row.AnonID))
    }, kind)
    const found = (await check(folder)).find(({ name }) => name === "users-original")
    expect(found).toMatchObject({ state: "failed", row: place, value: 1, bound: 3 })
  })

  test("a row of a released query twice", async () => {
    expect(await failures(({ lines }) => lines.push(lines[1]))).toContain("rows")
  })
})

describe("texts", () => {
  test("one that was replaced by another released text", async () => {
    const failed = await failures(({ lines }) => setCell(lines, query, "news", isWeather))
    expect(failed).toContain("rows")
  })

  test("one that was replaced by a rare one", async () => {
    const failed = await failures(({ lines }) => setCell(lines, query, `${marker} of 1`, isWeather))
    expect(failed).toContain("users-original")
  })

  test.each(["WEATHER", "Weather", " weather", "weather  ", "ｗeather"])(
    "raw text in place of the normalised: %j",
    async (raw) => {
      expect(await failures(({ lines }) => setCell(lines, query, raw, isWeather))).not.toEqual([])
    },
  )
})

describe("clicks", () => {
  test("a url under the threshold", async () => {
    // The fifth person did click on it in the first hour, on the weather: everything about the row is true.
    const failed = await failures(({ lines }) => {
      const pick = (cells: string[]) => isWeather(cells) && cells[time].endsWith("12:00:00") && !isClicked(cells)
      setCell(lines, rank, "3", pick)
      setCell(lines, url, `http://${marker}.example`, (cells) => cells[rank] === "3")
    })
    expect(failed).toContain("urls")
  })

  test("a url of a withheld query", async () => {
    const failed = await failures(({ lines }) => setCell(lines, url, `http://${marker}.example/3`, isClicked))
    expect(failed).toEqual(expect.arrayContaining(["clicks", "urls"]))
  })

  test("a url that is not in the original", async () => {
    const failed = await failures(({ lines }) => setCell(lines, url, "http://elsewhere.example", isClicked))
    expect(failed).toEqual(expect.arrayContaining(["clicks", "urls"]))
  })

  test("a click on another query than the one clicked", async () => {
    const failed = await failures(({ lines }) => {
      setCell(lines, url, "http://weather.example", (cells) => cells[query] === "news")
      setCell(lines, rank, "1", (cells) => cells[query] === "news" && isClicked(cells))
    })
    expect(failed).toContain("clicks")
  })

  test("another rank", async () => {
    expect(await failures(({ lines }) => setCell(lines, rank, "9", isClicked))).toContain("clicks")
  })

  test("a rank without its url", async () => {
    const failed = await failures(({ lines }) => setCell(lines, rank, "3", (cells) => !isClicked(cells)))
    expect(failed).toContain("ranks")
  })

  test("urls where the policy says that none are shown", async () => {
    const failed = await failures(({ manifest }) => {
      manifest.parameters.urls = "drop"
    })
    expect(failed).toContain("urls")
  })
})

describe("names", () => {
  /** The name under which a person searched for the weather, this many seconds after noon. */
  const nameAt = (lines: string[], seconds: number) => {
    const found = lines.find((line) => cellsOf(line)[time] === timeAfter(seconds))
    return found === undefined ? "" : cellsOf(found)[user]
  }

  test.each([
    ["one user", 60, 60 + 7260],
    ["two users", 60, 120],
  ])("one name for two sessions of %s", async (_whose, one, other) => {
    const failed = await failures(({ lines }) => rename(lines, nameAt(lines, one), nameAt(lines, other)), "exact")
    expect(failed).toEqual(["groups"])
  })

  test("one name for a whole user", async () => {
    // A release with one name per user that claims to have one per session.
    const failed = await failures(({ manifest }) => {
      manifest.parameters.users = "session"
    }, "users")
    expect(failed).toEqual(["groups"])
  })

  test("a name per session where one per user is claimed", async () => {
    const failed = await failures(({ manifest }) => {
      manifest.parameters.users = "pseudonym"
    })
    expect(failed).toEqual(["groups"])
  })

  test("one session under two names", async () => {
    const failed = await failures(({ lines }) => {
      const [news = ""] = rowsOf(lines, "news")
      setCell(lines, user, "uaaaaaaaaaaaa", (cells) => cells.join("\t") === news)
    })
    expect(failed).toContain("groups")
  })

  test("a user id of the original", async () => {
    const failed = await failures(({ lines }) => rename(lines, cellsOf(lines[1])[user], `${marker}-user-1`))
    expect(failed).toEqual(expect.arrayContaining(["names", "groups"]))
  })

  test("no names where the policy says that there are some", async () => {
    const failed = await failures(({ lines, manifest }) => {
      manifest.columns = manifest.columns.filter((name) => name !== "AnonID")
      for (const [i, line] of lines.entries()) lines[i] = cellsOf(line).slice(1).join("\t")
    })
    expect(failed).toContain("names")
  })
})

describe("times", () => {
  test("an exact time", async () => {
    expect(await failures(({ lines }) => setCell(lines, time, "2006-03-01 12:00:07", isWeather))).toContain("times")
  })

  test("another hour", async () => {
    expect(await failures(({ lines }) => setCell(lines, time, "2006-03-01 03:00:00", isWeather))).toContain("rows")
  })

  test("hours where the policy says days", async () => {
    const failed = await failures(({ manifest }) => {
      manifest.parameters.time = "day"
    })
    expect(failed).toContain("times")
  })
})
