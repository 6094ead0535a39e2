import fc from 'fast-check'

// Strings that break addresses, which the generator uses often so that they occur together.
const breaking = [
  ...['/', '//', '.', '..', '%', '%2F', '%2', '?', '#', '\\', ' ', '$', '$x', '{', '}', '{y}', '+', '&', '=', ':'],
  ...['\u202e', '\u0000', '\t', '\u00e9', 'e\u0301', '\u{1f6a2}'],
]

/** Generates object keys, including those that routers, browsers and proxies tend to change. */
export const anyKey = fc
  .array(fc.oneof(fc.constantFrom(...breaking), fc.string({ unit: 'grapheme', maxLength: 4 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((pieces) => pieces.join(''))
  .filter((key) => key !== '')
