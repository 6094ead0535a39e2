/* Texts that make parsers slow: a piece that is repeated, behind a beginning and before an end. */

/** A text of about any size. */
export interface HostileText {
  begin?: string
  /** Repeated as often as it fits; a function gets the index of the repetition. */
  piece: string | ((index: number) => string)
  end?: string
}

/** Makes a text of at most this many characters, and of at least one piece. */
export function hostileText({ begin = '', piece, end = '' }: HostileText, size: number): string {
  const left = size - begin.length - end.length
  if (typeof piece === 'string') return begin + piece.repeat(Math.max(1, Math.floor(left / piece.length))) + end
  const pieces: string[] = []
  for (let length = 0, index = 0; length < left; index++) {
    const next = piece(index)
    pieces.push(next)
    length += next.length
  }
  return begin + pieces.join('') + end
}

/** A variable in a policy, as text. */
export const POLICY_VARIABLE = ['$', '{aws:username}'].join('')

/** Texts for any parser: runs of what separates, opens, escapes or repeats. The end is what a run of them does not expect. */
export const ANY_HOSTILE_TEXTS: readonly HostileText[] = [
  ...[
    ...[
      'a',
      'A',
      '0',
      ' ',
      '\t',
      '\n',
      '\r\n',
      '\\',
      '/',
      '//',
      '.',
      '..',
      '-',
      '_',
      ':',
      ';',
      ',',
      '=',
      '&',
      '+',
      '#',
    ],
    ...[
      '%',
      '%25',
      '%41',
      '*',
      '?',
      '*a',
      'a*',
      '?*',
      '~',
      '|',
      '!',
      '@',
      '$',
      POLICY_VARIABLE.slice(0, 2),
      POLICY_VARIABLE,
      '(',
      '()',
      '[',
      '[]',
      '{',
    ],
    ...['{}', '<', '<a>', '</a>', '<!--', '<![CDATA[', ']]>', '&amp;', '"', '""', "'", '`', '\\"', '\\u0041'],
    ...['a=b&', 'a=b ', 'a="b" ', 'a,', 'a;', 'a:', 'a/', 'a b', '"a",', '"a":', '{"a":', '[{', '- ', '- - ', 'a: b\n'],
    ...[
      '  a\n',
      '\n\n',
      '> ',
      '* ',
      '1. ',
      '# ',
      '![',
      '[a](',
      '**a',
      '__a',
      '| a ',
      '--',
      '0x',
      '1e9',
      '=?utf-8?b?',
      'é',
    ],
    ...['😀', '\ufffd', '\0', '\u202e', 'a@', '@a(', 'http://', '://a:', 'Bearer ', 'Cookie":"', '-1', '1-', '$1'],
  ].flatMap((piece) => [{ piece }, { piece, end: '\u0001x' }]),
  { piece: (index) => `k${index}=v ` },
  { piece: (index) => `k${index}=v&` },
  { piece: (index) => `k${index}: v\n` },
  { piece: (index) => `"k${index}":1,`, begin: '{', end: '"":1}' },
  { piece: (index) => `${index},`, begin: '[', end: '0]' },
  { piece: '[', end: ']' },
  { piece: '{"a":', end: '1' },
]

/** Texts for any field of a request, of any length: runs that parsers and matchers search again and again. */
export const REQUEST_TEXTS: readonly ((length: number) => string)[] = [
  (length) => `*${'a'.repeat(length)}b`,
  (length) => '*a'.repeat(length / 2),
  (length) => `${'?'.repeat(length / 2)}*${'a'.repeat(length / 2)}`,
  (length) => `${' '.repeat(length)}x`,
  (length) => '[{"a":'.repeat(length / 6),
  (length) => '{"Statement":['.repeat(length / 14),
  (length) => Array.from({ length: length / 10 }, (_, index) => `k${index}: v\n`).join(''),
  (length) => '"\\'.repeat(length / 2),
]
