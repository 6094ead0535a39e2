import i18next from 'i18next'

/** The pseudo-locale, for development and tests: English with accents, generated. See `pseudo.ts`. */
export const PSEUDO = 'en-XA'

/** Returns an `Intl` formatter for the current language. It is created once for each language, on first use. */
export function inLanguage<T>(make: (language: string) => T): () => T {
  const made = new Map<string, T>()
  return () => {
    const language = i18next.language ?? 'en'
    const known = made.get(language) ?? make(language)
    made.set(language, known)
    return known
  }
}

const wholeNumber = inLanguage((language) => new Intl.NumberFormat(language, { maximumFractionDigits: 0 }))

/** Formats a whole number: `1,204,882`. */
export const formatCount = (n: number): string => wholeNumber().format(n)
