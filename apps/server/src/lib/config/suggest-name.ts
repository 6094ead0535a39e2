/** Returns the candidate with the smallest edit distance to `text`, if it is less than half of its length. */
export function suggestName(text: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = text.length / 2
  for (const candidate of candidates) {
    const distance = editDistance(text, candidate)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Returns the Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, charA] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, charB] of [...b].entries()) {
      const substitute = (row[j] ?? 0) + (charA === charB ? 0 : 1)
      next.push(Math.min(substitute, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
