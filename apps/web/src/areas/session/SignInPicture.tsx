/** The slots of a ship's hull: how many each layer has, from the top. The hull narrows towards the bottom. */
const layers = [
  { y: 150.5, from: 2, to: 3 },
  { y: 172.5, from: 1, to: 5 },
  { y: 206.5, from: 0, to: 6 },
  { y: 228.5, from: 0, to: 6 },
  { y: 250.5, from: 0, to: 6 },
  { y: 272.5, from: 0, to: 6 },
  { y: 294.5, from: 1, to: 5 },
]
const slotX = (column: number) => 67.5 + 30 * column
const slots = layers.flatMap(({ y, from, to }) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ x: slotX(from + i), y })),
)
/** The free slot for the container on the hook. */
const free = { x: slotX(4), y: 206.5 }
const marks = [274.5, 300.5, 326.5, 352.5, 378.5]

/** The picture of the sign-in page, an illustration of the logo. */
export function SignInPicture() {
  return (
    <svg width="340" height="430" viewBox="0 0 340 430" aria-hidden="true">
      <path d="M0 248H340V430H0z" fill="var(--art-water)" />
      <path d="M0 248.5H56M284 248.5H340" stroke="var(--st-chart-1)" />
      {marks.map((y, i) => (
        <path key={y} d={`M340 ${y}h${i % 2 === 0 ? -6 : -10}`} stroke="var(--art-line)" />
      ))}
      <text x="324" y="304" textAnchor="end" fontSize="10" fill="var(--st-ink-3)">
        4 m
      </text>
      <text x="324" y="356" textAnchor="end" fontSize="10" fill="var(--st-ink-3)">
        8 m
      </text>
      <path d="M56 198V293a30 30 0 0 0 30 30H254a30 30 0 0 0 30-30V198z" fill="var(--st-surface)" />
      {slots.map(({ x, y }) => (
        <rect
          key={`${x} ${y}`}
          x={x}
          y={y}
          width="25"
          height="17"
          rx="1.5"
          fill={x === free.x && y === free.y ? 'var(--st-surface)' : 'var(--art-fill)'}
          stroke="var(--art-line)"
        />
      ))}
      <path
        d="M56 198V293a30 30 0 0 0 30 30H254a30 30 0 0 0 30-30V198"
        fill="none"
        stroke="var(--st-ink-2)"
        strokeWidth="1.5"
      />
      <path d="M200 0V84" stroke="var(--st-ink-3)" />
      <path d="m187 97 13-13 13 13" fill="none" stroke="var(--st-ink-3)" />
      <rect x="187.5" y="97.5" width="25" height="17" rx="1.5" fill="var(--st-chart-1)" stroke="var(--st-chart-1)" />
      <path d="M187 120V147M213 120V147" stroke="var(--st-chart-1)" strokeDasharray="2 3" />
    </svg>
  )
}
