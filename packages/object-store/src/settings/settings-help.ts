import { z } from 'zod'

/** Settings as `--help` shows them, below a heading: each with its default in brackets and its meaning, 100 columns wide. */
export function settingsHelpLines(shape: Readonly<Record<string, z.ZodType>>): string[] {
  const lines = Object.entries(shape).map(([name, setting]) => {
    const fallback = setting instanceof z.ZodDefault ? setting.def.defaultValue : undefined
    const head = fallback === undefined ? name : `${name} (${String(fallback)})`
    return `  ${head}\n${wrap(setting.description ?? '', 6, 100)}`
  })
  return ['Settings, from the environment (default in brackets):', ...lines]
}

function wrap(text: string, indent: number, width: number): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line && indent + line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else {
      line = line ? `${line} ${word}` : word
    }
  }
  return [...lines, line].map((l) => ' '.repeat(indent) + l).join('\n')
}
