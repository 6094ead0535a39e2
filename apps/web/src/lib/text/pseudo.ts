const pairs = 'AÀBƁCÇDÐEÉFƑGĜHĤIÎJĴKĶLĻMḾNÑOÖPÞQǪRŔSŠTŢUÛVṼWŴXẊYÝZŽaàbƀcçdðeéfƒgĝhĥiîjĵkķlļmḿnñoöpþqǫrŕsštţuûvṽwŵxẋyýzž'
const accents = new Map(Array.from({ length: pairs.length / 2 }, (_, i) => [pairs[2 * i], pairs[2 * i + 1] ?? '']))

/** Matches placeholders and elements. */
const placeholder = /(\{\{.*?\}\}|<[^<>]+>)/

const accent = (letter: string) => `${accents.get(letter)}`.repeat(/[aeiou]/i.test(letter) ? 2 : 1)

/**
 * Returns a text in the pseudo-locale, which reveals translation problems. Letters have accents, so that text without accents
 * is recognized as untranslated. Vowels are doubled, because translations are often longer.
 */
export function pseudo(text: string): string {
  return text
    .split(placeholder)
    .map((piece, i) => (i % 2 === 1 ? piece : piece.replace(/[a-z]/gi, accent)))
    .join('')
}
