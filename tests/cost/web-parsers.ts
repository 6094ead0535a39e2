import { parseMarkdown } from '../../apps/web/src/areas/objects/preview/parse-markdown.ts'
import { parseCsvRows } from '../../apps/web/src/areas/objects/preview/preview-kind.ts'
import type { CostParser } from './cost-parser.ts'

const KIB = 1024

/** Parsers of the web app, which has the thread of the page: what they read was uploaded by others. */
export const WEB_PARSERS: readonly CostParser[] = [
  {
    name: 'Markdown',
    run: (text) => parseMarkdown(text),
    maxBytes: 256 * KIB,
    yields: true,
    texts: [
      { piece: '|a', end: '\n|-|' },
      { begin: '|a|\n', piece: '|-' },
      { begin: '|a|\n', piece: '- ' },
      { piece: '[a](http://b ' },
      { piece: '> > ' },
      { piece: '*a_' },
      { piece: '```a\n' },
    ],
  },
  { name: 'CSV', run: parseCsvRows, maxBytes: 256 * KIB, yields: true },
]
