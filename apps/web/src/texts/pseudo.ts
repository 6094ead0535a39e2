const pairs = 'AÀBƁCÇDÐEÉFƑGĜHĤIÎJĴKĶLĻMḾNÑOÖPÞQǪRŔSŠTŢUÛVṼWŴXẊYÝZŽaàbƀcçdðeéfƒgĝhĥiîjĵkķlļmḿnñoöpþqǫrŕsštţuûvṽwŵxẋyýzž'
const accents = new Map(Array.from({ length: pairs.length / 2 }, (_, i) => [pairs[2 * i], pairs[2 * i + 1] ?? '']))

/** The places of values, and elements. */
const placeholder = /(\{\{.*?\}\}|<[^<>]+>)/

const accent = (letter: string) => `${accents.get(letter)}`.repeat(/[aeiou]/i.test(letter) ? 2 : 1)

/**
 * A text in the pseudo-locale, which shows what would break in a translation: every letter has an accent, so that a plain
 * letter on the screen belongs to a text that nobody translates, and vowels are doubled, as long as translations become.
 */
export function pseudo(text: string): string {
  return text
    .split(placeholder)
    .map((piece, i) => (i % 2 === 1 ? piece : piece.replace(/[a-z]/gi, accent)))
    .join('')
}
