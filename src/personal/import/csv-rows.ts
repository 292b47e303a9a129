/** The cells of comma-separated text (RFC 4180), row by row. An unclosed quote ends at the end of the text. */
export function* csvRows(text: string, separator = ","): Generator<string[]> {
  let row: string[] = []
  for (let at = 0; at <= text.length; ) {
    let cell = ""
    if (text[at] === '"') {
      for (at++; at < text.length; at++) {
        if (text[at] !== '"') cell += text[at]
        else if (text[at + 1] === '"') cell += text[at++]
        else break
      }
      at++
    }
    const from = at
    while (at < text.length && text[at] !== separator && text[at] !== "\n") at++
    row.push(cell + text.slice(from, at).replace(/\r$/, ""))
    if (text[at] === separator) {
      at++
      continue
    }
    if (row.length > 1 || row[0] !== "") yield row
    row = []
    at++
  }
}
