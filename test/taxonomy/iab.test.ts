import { describe, expect, test } from "vitest"
import { scratchFolder } from "../support/scratch-folder.ts"
import { expectTree } from "./expect-tree.ts"
import { expectBroken, importFrom, listTopics, readFrom } from "./import-text.ts"

const { write } = scratchFolder()

const version3 = "Relational ID System\t\t\tContent Taxonomy v3.0 Tiered Categories\t\t\t\tExtension"
const columns = "Unique ID\tParent\tName\tTier 1\tTier 2\tTier 3\tTier 4\t"
/** A file in the layout of versions 2 and 3. The rows begin in line 3. */
const file = (...rows: string[]) => [version3, columns, ...rows, ""].join("\r\n")
const vehicles = "1\t\tVehicles\tVehicles\t\t\t\t"
const cars = "2\t1\tCars/Vans\tVehicles\tCars/Vans\t\t\t"
const gardens = "X7\tX7\tGardens\tGardens\t\t\t\tSCD"

describe("the IAB's content taxonomy", () => {
  test("becomes the tree of its ids and names, whatever the order of its rows", async () => {
    const tree = await readFrom(write(file(cars, gardens, "3\t2\tVan\tVehicles\tVans\tVan\t\t", vehicles)))
    expectTree(tree)
    expect(listTopics(tree)).toEqual([
      ":2",
      "Gardens:1",
      "Vehicles:1",
      "Vehicles/Cars%2FVans:1",
      "Vehicles/Cars%2FVans/Van:1",
    ])
    expect([tree.name(3), tree.text(3)]).toEqual(["Cars/Vans", "Cars/Vans"])
  })

  test("is also read with one header line and `Parent ID`", async () => {
    const content = `Unique ID\tParent ID\tName\tTier 1\n${vehicles}\n${cars}\n`
    expect(listTopics(await readFrom(write(content)))).toEqual([":1", "Vehicles:1", "Vehicles/Cars%2FVans:1"])
  })

  test.each([
    [
      "an id given twice",
      file(vehicles, cars, "2\t1\tBuses\t\t\t\t\t"),
      5,
      /id "2" (was used|was defined) before, in line 4/,
    ],
    [
      "a path given twice",
      file(vehicles, cars, "9\t1\tCars/Vans\t\t\t\t\t"),
      5,
      /(was used|was defined) before, in line 4/,
    ],
    ["a parent that is not there", file(vehicles, "2\t77\tCars\t\t\t\t\t"), 4, /parent "77" is not an id/],
    ["a cycle", file(vehicles, "2\t3\tCars\t\t\t\t\t", "3\t2\tVans\t\t\t\t\t"), 4, /a cycle: the topic "Cars"/],
    ["no name", file(vehicles, "2\t1\t\t\t\t\t\t"), 4, /without name/],
    ["too few columns", file(vehicles, "2\t1"), 4, /2 columns/],
    ["no header", "a\tb\n".repeat(10), 5, /no header/],
    ["a short file without header", "a\tb\n", 1, /no header/],
    [
      "a chain that is too long",
      file(vehicles, ...Array.from({ length: 300 }, (_, i) => `${i + 2}\t${i + 1}\tx\t\t\t\t\t`)),
      258,
      /more than 255 levels/,
    ],
    [
      "a chain that is too long, from its end",
      file(...Array.from({ length: 300 }, (_, i) => `${300 - i}\t${299 - i || ""}\tx\t\t\t\t\t`)),
      3,
      /below 255 or more others/,
    ],
  ])("is refused, with the line, for %s", async (_, content, line, says) => {
    const path = write(content)
    await expectBroken(readFrom(path, { format: "iab" }), { file: path, line, says })
  })

  test("without rows is empty", async () => {
    const path = write(file())
    await expectBroken(readFrom(path), { file: path, code: "input-empty", says: /no topic/ })
  })

  test("with a path given twice can be read with --lenient", async () => {
    const { repairs } = await importFrom(write(file(vehicles, cars, "9\t1\tCars/Vans\t\t\t\t\t")), { lenient: true })
    expect(repairs).toEqual({ encoding: 0, missing: 0, duplicate: 1, skipped: 0 })
  })
})
