/** A figure: its name, its value, and a detail. */
export type Tile = readonly [name: string, value: string, detail?: string]

export function Tiles({ tiles }: { tiles: readonly Tile[] }) {
  return (
    <dl class="tiles">
      {tiles.map(([name, value, detail]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <strong>{value}</strong>
            <small>{detail}</small>
          </dd>
        </div>
      ))}
    </dl>
  )
}
