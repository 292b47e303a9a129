import { readdirSync, readFileSync } from "node:fs"
import { Session } from "node:inspector/promises"
import ts from "typescript"
import { describe, expect, test } from "vitest"
import { detectKinds } from "#dist/text/identifiers/registry.js"

const folder = new URL("../../../src/text/identifiers/", import.meta.url)

/** The patterns of a file, from regular expressions and from the strings that they are built from. */
function patternsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(new URL(file, folder), "utf8"), ts.ScriptTarget.Latest, true)
  const patterns: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) patterns.push(node.text.slice(1, node.text.lastIndexOf("/")))
    const raw = ts.isTaggedTemplateExpression(node) && node.tag.getText() === "String.raw"
    const isCall = ts.isNewExpression(node) || ts.isCallExpression(node)
    const built = isCall && ["RegExp", "anyOf"].includes(node.expression.getText())
    if (raw) patterns.push(node.template.getText())
    if (built && node.arguments?.[0] !== undefined) patterns.push(...textsIn(node.arguments[0]))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return patterns
}

/** The texts in an expression, including those that are joined. A raw template is listed by itself. */
function textsIn(node: ts.Node): string[] {
  if (ts.isTaggedTemplateExpression(node)) return []
  if (ts.isStringLiteral(node) || ts.isTemplateLiteral(node)) return [node.getText()]
  const texts: string[] = []
  ts.forEachChild(node, (child) => {
    texts.push(...textsIn(child))
  })
  return texts
}

/** A pattern without escapes and character classes, so that the remaining * + {n,} repeat something. */
const skeleton = (pattern: string) => pattern.replace(/\\./g, "e").replace(/\[[^\]]*\]/g, "c")

/**
 * Texts that reveal backtracking, nested loops and rescanning: one piece repeated, after a head that starts every
 * detector.
 */
const pieces = [
  "1", "a", "1 ", "a ", "1-", "1.", "(1", "+1 ", "@", "a@", "a.", "a@a.", "4111 1111 1111 1111 ", "1:", "::", "1z",
  "1°", "12 34 n ", "1.2345, ", "_", "a1", "0", "000-00-000 ", "john ", "john a ", "mary ann ", "john van de la ",
  "1 a a a a street ", "rue de ", "via a ", "12 st ", "hauptstraße ", "password ", "account # ", "my password is ",
  "user ", "born 1/1/19", "january 1 ", "at dot ", "a (at) b ", "%40", "facebook.com/", "@a ", "é ", "’", "ffff:",
  "aa-", "aaaaa-", "1234 ", "de89 3704 ", "rssmra85t10a562", "8fvc9g8f+", "smith, john ", "dr ", "po box ",
  "1.2.3.4 a ", "1.234 1.234 x ", "1hgcm82633a004353 ", "rue a b c d e ", "account 12 ", "a@2x.png ",
] // biome-ignore format: a table

const head = "1234567 born password john, at "
const textOf = (piece: string, length: number) => (head + piece.repeat(length / piece.length)).slice(0, length)

/** How often the blocks of the detectors' files ran, by the engine's own counters. */
async function countSteps(session: Session, action: () => void): Promise<number> {
  await session.post("Profiler.takePreciseCoverage")
  action()
  const { result } = await session.post("Profiler.takePreciseCoverage")
  let steps = 0
  for (const { url, functions } of result) {
    if (!url.includes("/text/identifiers/") || url.includes("/test/")) continue
    for (const { ranges } of functions) for (const { count } of ranges) steps += count
  }
  return steps
}

describe("a detector takes time linear in the length of a query", () => {
  test("since no pattern repeats anything without a bound", () => {
    const files = readdirSync(folder).filter((file) => file.endsWith(".ts"))
    const patterns = files.flatMap((file) => patternsOf(file).map((pattern) => ({ file, pattern })))
    expect(patterns.length).toBeGreaterThan(80)
    expect(patterns.filter(({ pattern }) => /[*+]|\{\d*,\}/.test(skeleton(pattern)))).toEqual([])
  })

  test("and ten times the text takes about ten times the steps, up to 100 kB of the worst text", async () => {
    const session = new Session()
    session.connect()
    await session.post("Profiler.enable")
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true })
    const steeper: string[] = []
    for (const piece of pieces) {
      const short = textOf(piece, 10_000)
      const long = textOf(piece, 100_000)
      detectKinds(short) // a function is counted from its second call on
      const few = await countSteps(session, () => detectKinds(short))
      const many = await countSteps(session, () => detectKinds(long))
      // A loop over the text inside another would make it a hundred times as many.
      if (few === 0 || many > 20 * few || many > 100 * long.length) steeper.push(`${piece} ${few} ${many}`)
    }
    session.disconnect()
    expect(steeper).toEqual([])
  })
})
