import { METRIC_FAMILIES, type MetricName } from './metric-families.ts'

type Labels = Readonly<Record<string, string>>

/** Collects samples and prints them in Prometheus' text format, grouped by family. */
export class MetricsExposition {
  readonly #families = new Map<MetricName, string[]>()
  readonly #server: string

  /** @param server the label of each sample */
  constructor(server: string) {
    this.#server = `server="${escapeLabel(server)}"`
  }

  /** Adds a sample; undefined, an unknown value, adds nothing. */
  add(name: MetricName, value: number | undefined, labels: Labels = {}): void {
    if (value === undefined) return
    let lines = this.#families.get(name)
    if (!lines) {
      const [type, help] = METRIC_FAMILIES[name]
      lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
      this.#families.set(name, lines)
    }
    let text = ''
    for (const label in labels) text += `${label}="${escapeLabel(labels[label] ?? '')}",`
    lines.push(`${name}{${text}${this.#server}} ${value}`)
  }

  toString(): string {
    let text = ''
    for (const lines of this.#families.values()) text += `${lines.join('\n')}\n`
    return text
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => ESCAPES[character] ?? '')
}
