/** What the server says to a person in an answer that is JSON: `message`, or `error`, or that of the error. */
export function answerMessage(text: string): string | undefined {
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found !== "object" || found === null) return undefined
    if ("message" in found && typeof found.message === "string") return found.message
    if (!("error" in found)) return undefined
    return typeof found.error === "string" ? found.error : answerMessage(JSON.stringify(found.error))
  } catch {
    return undefined
  }
}
