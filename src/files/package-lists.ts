import { readFileSync } from "node:fs"

/** The lines of a list in the package's folder `data`, in order, without empty lines and lines that start with #. */
export function readPackageList(name: string): string[] {
  const text = readFileSync(new URL(`../../data/${name}.txt`, import.meta.url), "utf8")
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
}
