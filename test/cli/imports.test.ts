import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { drawRooms } from "../../diagram/draw-rooms.ts"
import { inspectModule, type Module, readModules } from "../../diagram/module-graph.ts"
import { layerOf, roomOf } from "../../diagram/rooms.ts"

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const all = readModules(at("src"))
const modules = all.filter(({ path }) => path.includes("/")) // the entry points may import everything
const edges = modules.flatMap(({ path, files }) => files.map((file): [string, string] => [path, file]))
const arrows = (found: readonly [string, string][]) => found.map(([from, to]) => `${from} → ${to}`)

/** `methods/equality` for `methods/equality/equality.ts`; undefined for the contracts in `methods` itself. */
const methodOf = (path: string) => /^methods\/[^/]+(?=\/)/.exec(path)?.[0]

describe("the imports that are walked", () => {
  test("are found in every form", () => {
    const source = `
      import "./a.ts"
      import type { B } from "../kernels/b.ts"
      export * from "./c.ts"
      // import "./comment.ts"
      const d = await import("./d.ts")
      type E = typeof import("./e.ts")
      const f = new URL("./f.worker.js", import.meta.url)
      const page = new URL("../../package.json", import.meta.url)
      import { readFile } from "node:fs/promises"
      const now = [Date.now(), new Date(), new Date(0), Math.random(), performance.now(), new Worker(f), import(f.href)]
      console.log("console")`
    const { files, packages, uses } = inspectModule("log/x.ts", source)
    expect(files).toEqual(["log/a.ts", "kernels/b.ts", "log/c.ts", "log/d.ts", "log/e.ts", "log/f.worker.ts"])
    expect(packages).toEqual(["node:fs/promises"])
    expect(uses.sort()).toEqual(
      [
        "Date.now",
        "new Date()",
        "Math.random",
        "performance.now",
        "new Worker",
        "import(expression)",
        "console",
      ].sort(),
    )
  })

  test("are those of the whole source, and lead to files that are there", () => {
    const paths = new Set(all.map(({ path }) => path))
    expect([...paths]).toEqual(expect.arrayContaining(["cli/main.ts", "kernels/parallel.ts", "log/formats/aol.ts"]))
    expect(arrows(edges)).toContain("log/parse-sources.ts → log/formats/block.worker.ts")
    expect(arrows(edges.filter(([, to]) => !paths.has(to)))).toEqual([])
  })
})

describe("a file imports", () => {
  test("from rooms that have a layer only", () => {
    expect(modules.filter(({ path }) => layerOf(roomOf(path)) < 0).map(({ path }) => path)).toEqual([])
  })

  test("from its own room and from layers further down, never up or sideways", () => {
    const wrong = edges.filter(([from, to]) => {
      return roomOf(from) !== roomOf(to) && layerOf(roomOf(to)) >= layerOf(roomOf(from))
    })
    expect(arrows(wrong)).toEqual([])
  })

  test("in a method: the contracts of methods, but no other method", () => {
    const wrong = edges.filter(([from, to]) => {
      const [method, other] = [methodOf(from), methodOf(to)]
      return method !== undefined && other !== undefined && method !== other
    })
    expect(arrows(wrong)).toEqual([])
  })

  test("in a contract of methods: no method; only the registry imports them", () => {
    const wrong = edges.filter(([from, to]) => {
      const isContract = roomOf(from) === "methods" && methodOf(from) === undefined
      return isContract && methodOf(to) !== undefined && from !== "methods/registry.ts"
    })
    expect(arrows(wrong)).toEqual([])
  })

  test("in a verifier: neither a method nor the code whose selection it checks; attackers are allowed", () => {
    const made = new RegExp(
      `^(?:${[
        "methods/[^/]+/",
        "methods/registry\\.ts",
        "personal/(?!(exposure-history|taxonomy-stamp)\\.ts)",
        "stream/",
        "swapper/",
        "kernels/(linkage|noise)/",
        "kernels/(distinct-users|click-graph|cluster-sets|overlap-index)\\.ts",
        "kernels/(set-classes|user-matrices|nearest-users|group-users)\\.ts",
        "release/arrange-rows\\.ts",
      ].join("|")})`,
    )
    const attacks = ["verify/swap-attackers.ts"]
    const wrong = edges.filter(([from, to]) => roomOf(from) === "verify" && made.test(to) && !attacks.includes(from))
    expect(arrows(wrong)).toEqual([])
  })
})

describe("the demo", () => {
  test("is a program on the public library: it imports the entry points, and the page that it draws", () => {
    const wrong = edges.filter(
      ([from, to]) =>
        from.startsWith("cli/demo/") && !/^((index|stream|personal|extend)\.ts$|cli\/demo\/|study\/demo\/)/.test(to),
    )
    expect(arrows(wrong)).toEqual([])
    const packages = modules.flatMap(({ path, packages }) => (path.startsWith("cli/demo/") ? packages : []))
    expect(packages.filter((name) => !name.startsWith("node:"))).toEqual([])
  })
})

describe("a use case", () => {
  test("does not print, and knows nothing of the command line", () => {
    const app = modules.filter(({ path }) => roomOf(path) === "app")
    expect(app.flatMap(({ uses }) => uses.filter((name) => name === "console"))).toEqual([])
    expect(app.flatMap(({ packages }) => packages.filter((name) => name === "commander"))).toEqual([])
  })
})

describe("a pure room", () => {
  const exempt = /^kernels\/(parallel|random|context)\.ts$/
  const rooms = ["kernels", "text", "swapper", "methods", "attacks", "measures"]
  const pure = modules.filter(({ path }) => rooms.includes(roomOf(path)) && !exempt.test(path))
  const offenders = (list: (module: Module) => string[]) =>
    pure.flatMap((module) => list(module).map((what) => `${module.path}: ${what}`))

  test("reads and writes nothing: no files, no network, no processes, no database", () => {
    const outside = /^(node:)?(fs|net|http|https|http2|tls|dgram|dns|child_process|cluster|worker_threads)(\/|$)|duckdb/
    expect(offenders(({ packages }) => packages.filter((name) => outside.test(name)))).toEqual([])
  })

  test("has no console, no clock and no randomness of its own", () => {
    expect(offenders(({ uses }) => uses)).toEqual([])
  })
})

describe("workers", () => {
  test("are started by kernels/parallel.ts only", () => {
    const starts = ({ uses, packages }: Module) =>
      uses.includes("new Worker") || uses.includes("import(expression)") || packages.includes("node:worker_threads")
    expect(modules.filter(starts).map(({ path }) => path)).toEqual(["kernels/parallel.ts"])
  })
})

describe("the diagram of the architecture", () => {
  test("equals what the imports say (npm run diagram)", () => {
    expect(readFileSync(at("docs/architecture.svg"), "utf8")).toBe(drawRooms(all))
  })
})
