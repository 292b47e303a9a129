const colours = 6

/** The colour of a user: one of six. Users with the same colour differ by their label. */
const userColour = (number: number) => `qv-user${(number % colours) + 1}`

/** A user of the log, by label and colour. */
export function UserTag({ name, number }: { name: string; number: number }) {
  return <span class={`qv-user ${userColour(number)}`}>{name}</span>
}
