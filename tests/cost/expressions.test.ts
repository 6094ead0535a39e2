import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'

/*
 * Every regular expression of the three processes, on texts made for it: a piece that it looks for, repeated, with an end that it does
 * not expect. A linear one needs well under a millisecond for this, a quadratic one hundreds.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const TEXT_LENGTH = 8000
const MAX_MS = 25
const ROUNDS = 3

/** Expressions that may take longer, because the text is short: the longest text (characters), and what limits it. */
const SHORT_TEXTS: Readonly<Record<string, { length: number; because: string }>> = {}

interface Expression {
  file: string
  source: string
  flags: string
}

function listExpressions(): Expression[] {
  const paths = ['packages/*/src/*.ts', 'apps/server/src/*.ts']
  const files = execFileSync('git', ['ls-files', '--', ...paths], { cwd: root, encoding: 'utf8' }).split('\n')
  return files
    .filter((file) => file !== '' && !/\.test\.ts$|\/testing\/|testing\.ts$/.test(file))
    .flatMap((file) => {
      const found: Expression[] = []
      const { program } = parseSync(file, readFileSync(`${root}/${file}`, 'utf8'))
      new Visitor({
        Literal(node) {
          if ('regex' in node && node.regex) found.push({ file, source: node.regex.pattern, flags: node.regex.flags })
        },
      }).visit(program)
      return found
    })
}

/** Pieces that the expression mentions: its literal texts, and a character of each of its classes. */
function piecesFor(source: string): string[] {
  const texts = source
    .replace(/\\[dws]/gi, '\u0000')
    .replace(/\\(.)/g, '$1')
    .split(/[()[\]{}|*+?^$\u0000]/)
    .filter((text) => text !== '')
  const characters = [...new Set([...texts.join(''), 'a', 'A', '0', ' ', '_', '\\', '"', "'", '\u00e9'])].slice(0, 14)
  const pairs = characters.flatMap((a) => [`${a}a`, `${a} `])
  return [...new Set([...texts.map((text) => text.slice(0, 40)), ...characters, ...pairs])]
}

/** CPU time in ms, the lowest of some rounds; one short round is enough. */
function lowestMs(run: () => unknown): number {
  let lowest = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS && lowest > MAX_MS; round++) {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    lowest = Math.min(lowest, (user + system) / 1000)
  }
  return lowest
}

test('no regular expression takes longer than its text', () => {
  const slow: string[] = []
  for (const { file, source, flags } of listExpressions()) {
    const expression = new RegExp(source, flags.replace('y', '').includes('g') ? flags : `${flags}g`)
    const length = SHORT_TEXTS[source]?.length ?? TEXT_LENGTH
    const beginnings = ['', ...piecesFor(source).slice(0, 1)]
    const worst = piecesFor(source)
      .flatMap((piece) => beginnings.map((begin) => `${begin}${piece.repeat(Math.ceil(length / piece.length))}\u0001x`))
      .find((text) => lowestMs(() => text.replace(expression, '')) > MAX_MS)
    if (worst !== undefined) slow.push(`${file}: /${source}/${flags} on ${JSON.stringify(worst.slice(0, 20))}…`)
  }
  expect(slow).toEqual([])
})
