/** Returns the known name that a mistyped name most likely means; undefined if none is similar. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  // Longer than any known name, so not worth the time.
  if (name.length > 100) return undefined
  const wanted = name.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance >= bestDistance) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

/** Returns `, did you mean "s3:GetObject"?`, or an empty text. */
export function nameSuggestion(name: string, known: Iterable<string>): string {
  const near = nearestName(name, known)
  return near === undefined ? '' : `, did you mean "${near}"?`
}

/** Returns the number of letters to insert, remove or change. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
