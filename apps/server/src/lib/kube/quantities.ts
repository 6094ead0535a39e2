/** Returns a sum, limited to the largest exact number (2^53 - 1). */
export function safeSum(amounts: readonly number[]): number {
  return Math.min(
    Number.MAX_SAFE_INTEGER,
    amounts.reduce((total, amount) => total + amount, 0),
  )
}
