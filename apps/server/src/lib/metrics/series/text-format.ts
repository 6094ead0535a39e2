/** A value of a series at one time. */
export interface MetricSample {
  metric: string
  labels: Readonly<Record<string, string>>
  value: number
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+-?\d+)?$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g
const WORDS: Readonly<Record<string, number>> = { '+Inf': Infinity, '-Inf': -Infinity, Inf: Infinity, NaN: Number.NaN }

/**
 * Parses Prometheus' text format. Skips malformed lines, and values that are not finite.
 * @param wanted selects metrics
 */
export function parseTextFormat(text: string, wanted: (metric: string) => boolean): MetricSample[] {
  const samples: MetricSample[] = []
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, metric, labels, written = ''] = LINE.exec(line.trim()) ?? []
    if (metric === undefined || !wanted(metric)) continue
    const value = WORDS[written] ?? Number(written)
    if (Number.isFinite(value)) samples.push({ metric, labels: parseLabels(labels ?? ''), value })
  }
  return samples
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n' }

function parseLabels(text: string): Record<string, string> {
  const labels: [string, string][] = []
  for (const [, name = '', value = ''] of text.matchAll(LABEL))
    labels.push([name, value.replace(/\\(.)/g, (_, character: string) => ESCAPES[character] ?? character)])
  return Object.fromEntries(labels)
}
