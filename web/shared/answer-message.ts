/** The message for a person in a JSON answer of the server: `message`, or `error`, or the message of the error. */
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
