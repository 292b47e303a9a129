import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import ts from "typescript"

/** The parts of a source file that the rules between rooms are about. */
export interface Module {
  /** Below src: `log/formats/aol.ts`. */
  path: string
  /** Files below src that it imports or starts as workers. */
  files: string[]
  /** Packages and built-in modules that it imports. */
  packages: string[]
  /** `console`, `Date.now`, `Math.random`, `performance.now`, `new Date()`, `new Worker`, `import(expression)`. */
  uses: string[]
}

/** Every source file below a folder. */
export function readModules(root: string): Module[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .sort()
    .map((path) => inspectModule(path, readFileSync(join(root, path), "utf8")))
}

/** Reads a source file of this path. */
export function inspectModule(path: string, text: string): Module {
  const names: string[] = []
  const uses = new Set<string>()
  const visit = (node: ts.Node): void => {
    names.push(...namedBy(node))
    for (const use of usedBy(node)) uses.add(use)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  const local = names.filter((name) => /^\.\.?\/.*\.[jt]s$/.test(name))
  const files = local.map((name) => join(dirname(path), name).replace(/\.js$/, ".ts"))
  return { path, files, packages: names.filter((name) => !name.startsWith(".")), uses: [...uses] }
}

/**
 * The module names in an import, an export, `import("x")`, `typeof import("x")` and `new URL("x", import.meta.url)`.
 */
function namedBy(node: ts.Node): string[] {
  const texts = (nodes: readonly (ts.Node | undefined)[]) =>
    nodes.flatMap((part) => (part !== undefined && ts.isStringLiteral(part) ? [part.text] : []))
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return texts([node.moduleSpecifier])
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return texts([node.argument.literal])
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return texts(node.arguments)
  if (ts.isNewExpression(node) && node.expression.getText() === "URL") return texts([node.arguments?.[0]])
  return []
}

function usedBy(node: ts.Node): string[] {
  if (ts.isIdentifier(node) && node.text === "console") return ["console"]
  if (ts.isPropertyAccessExpression(node)) {
    return ["Date.now", "Math.random", "performance.now"].filter((name) => node.getText() === name)
  }
  if (ts.isNewExpression(node)) {
    const made = node.expression.getText()
    if (made === "Worker") return ["new Worker"]
    if (made === "Date" && (node.arguments?.length ?? 0) === 0) return ["new Date()"]
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return node.arguments[0] !== undefined && ts.isStringLiteral(node.arguments[0]) ? [] : ["import(expression)"]
  }
  return []
}
