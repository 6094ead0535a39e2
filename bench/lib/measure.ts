/** A measurement, the same for all targets. */
export interface BenchCase<Target> {
  readonly name: string
  readonly unit: string
  /** Returns one figure in `unit`; undefined if the target does not support it. */
  readonly run: (target: Target) => Promise<number | undefined>
  /** Default: the number from the command line. */
  readonly runs?: number
}

export interface BenchRow {
  readonly name: string
  readonly unit: string
  /** By target, in the order of the targets. */
  readonly figures: readonly (readonly number[])[]
}

/**
 * Measures one case on all targets in turns, with a rotating order, so that other load and caches of the server behind them
 * affect all alike. A warm-up round does not count, except in long cases that specify `runs`.
 */
export async function compareTargets<Target extends { name: string }>(
  { name, unit, run, runs }: BenchCase<Target>,
  targets: readonly Target[],
  asked: number,
): Promise<BenchRow> {
  const figures = targets.map((): number[] => [])
  const rounds = runs ?? asked
  const failed = new Set<Target>()
  for (let round = runs === undefined ? -1 : 0; round < rounds; round++) {
    for (let turn = 0; turn < targets.length; turn++) {
      const i = (turn + round + 1) % targets.length
      const target = targets[i]
      if (!target || failed.has(target)) continue
      const figure = await run(target).catch((error: unknown) => {
        console.error(`${target.name}: ${name}: ${error instanceof Error ? error.message : String(error)}`)
        return undefined
      })
      if (figure === undefined) failed.add(target)
      else if (round >= 0) figures[i]?.push(figure)
    }
  }
  return { name, unit, figures }
}

/** Returns the duration of some work in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Formats `median (min to max)`; a dash without figures. */
export function summarizeFigures(figures: readonly number[]): string {
  const sorted = figures.toSorted((a, b) => a - b)
  const [min] = sorted
  const max = sorted.at(-1)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (min === undefined || max === undefined || middle === undefined) return '–'
  const even = sorted.length % 2 === 0 ? ((sorted[sorted.length / 2 - 1] ?? middle) + middle) / 2 : middle
  return sorted.length === 1 ? digits(even) : `${digits(even)} (${digits(min)} to ${digits(max)})`
}

function digits(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en')
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** Returns a Markdown table: one line per case, one column per target. */
export function markdownTable(title: string, names: readonly string[], rows: readonly BenchRow[]): string {
  const head = [`| ${title} | unit | ${names.join(' | ')} |`, `|---|---|${names.map(() => '---|').join('')}`]
  const lines = rows.map(
    ({ name, unit, figures }) => `| ${name} | ${unit} | ${figures.map(summarizeFigures).join(' | ')} |`,
  )
  return [...head, ...lines].join('\n')
}
