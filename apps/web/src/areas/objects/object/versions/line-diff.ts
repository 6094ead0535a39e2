/** A line of a comparison, in both texts or in one of them. Line numbers are counted from 1. */
export interface DiffLine {
  kind: 'same' | 'removed' | 'added'
  text: string
  left?: number
  right?: number
}

/**
 * The maximum number of edits to search for, as the cost is quadratic. Texts with more differences count as replaced entirely.
 */
const MAX_EDITS = 1500

/**
 * Returns the line-by-line difference of two texts, with the fewest changes.
 * @see Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986
 */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const middle = findEdits(a.slice(start, a.length - end), b.slice(start, b.length - end))
  const lines: DiffLine[] = []
  let [left, right] = [0, 0]
  const same = (count: number) => {
    for (let i = 0; i < count; i++) lines.push({ kind: 'same', text: a[left] ?? '', left: ++left, right: ++right })
  }
  same(start)
  for (const kind of middle) {
    if (kind === 'same') same(1)
    else if (kind === 'removed') lines.push({ kind, text: a[left] ?? '', left: ++left })
    else lines.push({ kind, text: b[right] ?? '', right: ++right })
  }
  same(end)
  return lines
}

function findEdits(a: readonly string[], b: readonly string[]): DiffLine['kind'][] {
  const replaced = () => [...a.map(() => 'removed' as const), ...b.map(() => 'added' as const)]
  if (a.length === 0 || b.length === 0) return replaced()
  const max = Math.min(a.length + b.length, MAX_EDITS)
  const width = 2 * max + 3
  // The furthest position on each diagonal, for each number of edits. The path is then traced backwards through these.
  const reached: Int32Array[] = []
  const furthest = new Int32Array(width)
  const at = (k: number) => k + max + 1
  for (let edits = 0; edits <= max; edits++) {
    reached.push(furthest.slice())
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && (furthest[at(k - 1)] ?? 0) < (furthest[at(k + 1)] ?? 0))
      let x = down ? (furthest[at(k + 1)] ?? 0) : (furthest[at(k - 1)] ?? 0) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      furthest[at(k)] = x
      if (x >= a.length && x - k >= b.length) return traceBack(reached, at, a.length, b.length)
    }
  }
  return replaced()
}

function traceBack(
  reached: readonly Int32Array[],
  at: (k: number) => number,
  width: number,
  height: number,
): DiffLine['kind'][] {
  const kinds: DiffLine['kind'][] = []
  let [x, y] = [width, height]
  for (let edits = reached.length - 1; edits >= 0; edits--) {
    const furthest = reached[edits] ?? new Int32Array()
    const k = x - y
    const down = k === -edits || (k !== edits && (furthest[at(k - 1)] ?? 0) < (furthest[at(k + 1)] ?? 0))
    const fromX = edits === 0 ? 0 : (furthest[at(down ? k + 1 : k - 1)] ?? 0)
    const fromY = edits === 0 ? 0 : fromX - (down ? k + 1 : k - 1)
    // The edit comes before the equal lines.
    const edited = edits === 0 || down ? fromX : fromX + 1
    while (x > edited) {
      kinds.push('same')
      x--
      y--
    }
    if (edits > 0) kinds.push(down ? 'added' : 'removed')
    ;[x, y] = [fromX, fromY]
  }
  return kinds.toReversed()
}

/** A row with two columns; a changed line is beside its new version. */
export interface DiffRow {
  left?: DiffLine
  right?: DiffLine
}

/** Arranges the lines in two columns, with `context` equal lines around each change. Null stands for omitted lines. */
export function arrangeSideBySide(lines: readonly DiffLine[], context = 3): (DiffRow | null)[] {
  const rows: DiffRow[] = []
  for (let i = 0; i < lines.length; ) {
    const removed = takeRun(lines, i, 'removed')
    const added = takeRun(lines, i + removed.length, 'added')
    for (let n = 0; n < Math.max(removed.length, added.length); n++) {
      const [left, right] = [removed[n], added[n]]
      rows.push({ ...(left ? { left } : {}), ...(right ? { right } : {}) })
    }
    i += removed.length + added.length
    const line = lines[i]
    if (line?.kind === 'same') {
      rows.push({ left: line, right: line })
      i++
    }
  }
  return foldEqualLines(rows, context)
}

function takeRun(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): DiffLine[] {
  let to = from
  while (lines[to]?.kind === kind) to++
  return lines.slice(from, to)
}

function foldEqualLines(rows: readonly DiffRow[], context: number): (DiffRow | null)[] {
  const isChange = ({ left, right }: DiffRow) => left !== right
  const keep = new Uint8Array(rows.length)
  for (const [index, row] of rows.entries())
    if (isChange(row)) keep.fill(1, Math.max(0, index - context), Math.min(rows.length, index + context + 1))
  const shown: (DiffRow | null)[] = []
  for (const [index, row] of rows.entries()) {
    if (keep[index]) shown.push(row)
    else if (shown.at(-1) !== null) shown.push(null)
  }
  return shown
}
