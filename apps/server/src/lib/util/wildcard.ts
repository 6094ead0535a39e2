const ANY = Symbol('any text')
const ONE = Symbol('one character')

/**
 * Compiles a pattern in which `*` matches any text and `one` any character. A backslash escapes the next character.
 * @returns a function that tests a value, in at most pattern length times value length steps
 */
export function wildcardPattern(pattern: string, one: '.' | '?'): (value: string) => boolean {
  const tokens: (string | typeof ANY | typeof ONE)[] = []
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i] ?? ''
    if (character === '\\' && i + 1 < pattern.length) tokens.push(pattern[++i] ?? '')
    else if (character === '*') tokens.push(ANY)
    else if (character === one) tokens.push(ONE)
    else tokens.push(character)
  }
  return (value) => fits(tokens, value)
}

/** Greedy matching that returns only to the last star, so that many stars take no more than length times length steps. */
function fits(tokens: readonly (string | symbol)[], value: string): boolean {
  let [at, token] = [0, 0]
  let star = -1
  let starAt = 0
  while (at < value.length) {
    if (tokens[token] === ANY) {
      star = token++
      starAt = at
    } else if (token < tokens.length && (tokens[token] === ONE || tokens[token] === value[at])) {
      token++
      at++
    } else if (star >= 0) {
      token = star + 1
      at = ++starAt
    } else return false
  }
  while (tokens[token] === ANY) token++
  return token === tokens.length
}
