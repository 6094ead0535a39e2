import fc from 'fast-check'

// Characters that break addresses are frequent here, so that they meet.
const breaking = [
  ...['/', '//', '.', '..', '%', '%2F', '%2', '?', '#', '\\', ' ', '$', '$x', '{', '}', '{y}', '+', '&', '=', ':'],
  ...['\u202e', '\u0000', '\t', '\u00e9', 'e\u0301', '\u{1f6a2}'],
]

/** Object keys, among them those that routers, browsers and proxies like to change. */
export const anyKey = fc
  .array(fc.oneof(fc.constantFrom(...breaking), fc.string({ unit: 'grapheme', maxLength: 4 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((pieces) => pieces.join(''))
  .filter((key) => key !== '')
