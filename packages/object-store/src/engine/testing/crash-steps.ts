export const CRASH_WORKERS = 8

/** A step of a worker in `crash-writer.ts`. The test computes the same steps. */
export type CrashStep =
  | { kind: 'put'; key: string; size: number; seed: number; encrypted: boolean }
  | { kind: 'delete'; key: string }

/** Returns step `n` of a worker. Workers use separate keys, so the order of a worker's steps determines their content. */
export function crashStep(worker: number, n: number): CrashStep {
  const key = `worker ${worker}/key ${(n * 7) % 12}`
  if (n % 5 === 4) return { kind: 'delete', key }
  const sizes = [10, 1000, 16_384, 20_000, 0, 150_000, 500, 17_000, 3, 40_000, 1_200_000, 900, 16_385]
  const size = sizes[n % sizes.length] ?? 0
  return { kind: 'put', key, size, seed: worker * 1_000_000 + n + 1, encrypted: worker % 2 === 1 }
}
