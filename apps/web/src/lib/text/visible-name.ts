/** A run of plain text, or one character that could mislead the user. */
export type NamePart = { text: string; code?: undefined } | { code: string; title: string }

const SHORT_NAMES: Record<number, string> = {
  9: 'TAB',
  10: 'LF',
  13: 'CR',
  127: 'DEL',
  160: 'NBSP',
  173: 'SHY',
  8203: 'ZWSP',
  8204: 'ZWNJ',
  8205: 'ZWJ',
  8206: 'LRM',
  8207: 'RLM',
  8234: 'LRE',
  8235: 'RLE',
  8236: 'PDF',
  8237: 'LRO',
  8238: 'RLO',
  8294: 'LRI',
  8295: 'RLI',
  8296: 'FSI',
  8297: 'PDI',
  65279: 'BOM',
}

// Control, format (bidirectional, zero width), separator, surrogate, unassigned and private-use characters, and all spaces
// except U+0020.
const MISLEADING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Cn}\p{Co}\u00a0\u2000-\u200a\u3000\u115f\u1160\u3164\uffa0]/u
/** A joiner between two pictographs is part of an emoji, so it is not misleading. A space at either end is invisible. */
const emojiJoin = /\p{Extended_Pictographic}\u{fe0f}?\u{200d}(?=\p{Extended_Pictographic})/gu

/** Splits a name into plain text and misleading characters, each with its short name or code point. */
export function visibleNameParts(name: string): NamePart[] {
  const joiners = new Set<number>()
  for (const match of name.matchAll(emojiJoin)) joiners.add(match.index + match[0].length - 1)
  const parts: NamePart[] = []
  let plain = ''
  let at = 0
  for (const char of name) {
    const edgeBlank = char === ' ' && (at === 0 || at === name.length - 1)
    if ((MISLEADING.test(char) && !joiners.has(at)) || edgeBlank) {
      if (plain !== '') parts.push({ text: plain })
      plain = ''
      const point = char.codePointAt(0) ?? 0
      const hex = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
      parts.push({ code: edgeBlank ? 'SP' : (SHORT_NAMES[point] ?? hex), title: hex })
    } else plain += char
    at += char.length
  }
  if (plain !== '') parts.push({ text: plain })
  return parts
}

/** Reports whether a name contains misleading characters. */
export function isMisleading(name: string): boolean {
  return visibleNameParts(name).some((part) => part.code !== undefined)
}

/** Returns the name as plain text with codes in brackets, for tooltips and screen readers. */
export function plainName(name: string): string {
  return visibleNameParts(name)
    .map((part) => (part.code === undefined ? part.text : `[${part.code}]`))
    .join('')
}
