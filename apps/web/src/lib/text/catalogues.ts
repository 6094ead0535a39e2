import { PSEUDO } from './locale.ts'
import { pseudo } from './pseudo.ts'

// A separate chunk, because English needs no catalogues: its texts are in the code.

/** Texts and their translations, of one language and one area of the console. */
type Catalogue = Readonly<Record<string, string>>

const files = import.meta.glob<Catalogue>('../../texts/*/*.json', { import: 'default' })

export async function loadCatalogue(language: string, area: string): Promise<Catalogue> {
  if (language === PSEUDO) return pseudoCatalogue(await loadCatalogue('en', area))
  return (await files[`../../texts/${language}/${area}.json`]?.()) ?? {}
}

/** Returns the areas that a language has catalogues for. */
export function translatedAreas(language: string): string[] {
  const folder = `../../texts/${language === PSEUDO ? 'en' : language}/`
  return Object.keys(files)
    .filter((file) => file.startsWith(folder))
    .map((file) => file.slice(folder.length, -'.json'.length))
}

const pseudoCatalogue = (english: Catalogue): Catalogue =>
  Object.fromEntries(Object.entries(english).map(([key, text]) => [key, pseudo(text)]))
