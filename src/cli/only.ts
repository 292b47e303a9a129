import { Option } from "commander"

export function onlyOption(): Option {
  return new Option("--only <names>", "only these, separated by commas")
}

export function parseOnly(text: string | undefined): string[] | undefined {
  return text
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
}
