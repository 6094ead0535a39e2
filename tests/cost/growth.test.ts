import { expect, test } from 'vitest'
import { CONSOLE_PARSERS } from './console-parsers.ts'
import type { CostParser } from './cost-parser.ts'
import { ANY_HOSTILE_TEXTS, type HostileText, hostileText } from './hostile-texts.ts'
import { type CostGrowth, MAX_GROWTH, measureGrowth } from './measure-growth.ts'
import { STORE_PARSERS } from './store-parsers.ts'
import { WEB_PARSERS } from './web-parsers.ts'

/** Longest time of a parser that gives no other request its turn (ms of CPU). */
const MAX_BLOCK_MS = 100
/** A larger input shows nothing that this one does not (bytes). */
const MAX_TRIED = 64 * 1024

test.each([...STORE_PARSERS, ...CONSOLE_PARSERS, ...WEB_PARSERS])(
  'the cost of any text grows in proportion to its length: $name',
  async (parser) => {
    const slow: string[] = []
    for (const text of [...ANY_HOSTILE_TEXTS, ...(parser.texts ?? [])]) {
      const growth = await measureGrowth({
        make: (size) => hostileText(text, size),
        run: (input: string) => parser.run(input),
        maxBytes: Math.min(parser.maxBytes, MAX_TRIED),
      })
      if (isTooSlow(growth, parser)) slow.push(describe(text, growth))
    }
    expect(slow).toEqual([])
  },
)

/** The time for the largest text follows from that for the one tried. */
const isTooSlow = ({ bytes, ms, ratio }: CostGrowth, { yields = false, maxBytes }: CostParser) =>
  ratio > MAX_GROWTH || (!yields && (ms / bytes) * maxBytes > MAX_BLOCK_MS)

function describe({ begin = '', piece, end = '' }: HostileText, { bytes, ms, ratio }: CostGrowth): string {
  const repeated = typeof piece === 'string' ? piece : piece(0)
  const text = JSON.stringify([begin.slice(-60), repeated.slice(0, 60), end])
  return `${text}: ${bytes} bytes take ${ms.toFixed(1)} ms, ${ratio.toFixed(2)} times the half`
}
