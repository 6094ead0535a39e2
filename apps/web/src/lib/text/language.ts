import i18next from 'i18next'
import { useSyncExternalStore } from 'react'
import { PSEUDO } from './locale.ts'

const STORAGE_KEY = 'stowage.language'

const translated = Object.keys(import.meta.glob(['../../texts/*/common.json', '!../../texts/en/*'])).map(
  (file) => file.split('/').at(-2) ?? '',
)
const complete = ['en', ...translated]

const remembered = () => localStorage.getItem(STORAGE_KEY) ?? undefined

/** The languages that a user can choose from: English and those that have catalogues. */
export function offeredLanguages(): readonly string[] {
  return import.meta.env.DEV || remembered() === PSEUDO ? [...complete, PSEUDO] : complete
}

/** The name of a language, in that language. */
export function nameOfLanguage(language: string): string {
  return new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
}

/** What is loaded of the language that is shown: the catalogue of an area, or the attempt to load it. */
let loaded = new Map<string, Promise<void>>()

/** Not in the first chunk: English needs no catalogue. */
const catalogues = () => import('../../texts/catalogues.ts')

async function addCatalogue(language: string, area: string): Promise<void> {
  const { loadCatalogue } = await catalogues()
  i18next.addResourceBundle(language, 'translation', await loadCatalogue(language, area), true)
}

/**
 * Loads the texts of an area in the language that is shown, unless they are there. Never rejects: without them the area is
 * shown in English, whose texts are in its code.
 */
export function loadTexts(area: string): Promise<void> {
  const { language } = i18next
  if (language === 'en') return Promise.resolve()
  const known = loaded.get(area)
  if (known) return known
  const attempt = addCatalogue(language, area).catch((error: unknown) => {
    console.warn(`the texts of ${area} could not be loaded`, error)
  })
  loaded.set(area, attempt)
  return attempt
}

/** Shows the console in another language. @throws when its texts cannot be loaded; then the language stays */
async function setLanguage(language: string): Promise<void> {
  const wanted = new Set(['common', ...loaded.keys()])
  if (language !== 'en') await Promise.all([...wanted].map((area) => addCatalogue(language, area)))
  loaded = new Map([...wanted].map((area) => [area, Promise.resolve()]))
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  void loadOthers(language)
}

/** The other areas, one after the other: one of their texts may stand on a page of another area. */
async function loadOthers(language: string) {
  if (language === 'en') return
  const { areasOf } = await catalogues()
  for (const area of areasOf(language)) if (language === i18next.language) await loadTexts(area)
}

/** Shows the console in another language, and remembers it in this browser. @throws when it cannot be loaded */
export async function chooseLanguage(language: string): Promise<void> {
  await setLanguage(language)
  localStorage.setItem(STORAGE_KEY, language)
}

/** Shows the console in the language chosen before, or in the first of the browser's languages that there is. */
export async function startLanguage(): Promise<void> {
  const language = offeredLanguages().find((one) => one === remembered()) ?? bestLanguage(navigator.languages, complete)
  if (language === 'en') return
  // Without its texts in English: better than no console.
  await setLanguage(language).catch((error: unknown) => console.warn(`no texts of ${language}`, error))
}

/** The language that is shown. */
export const useLanguage = () => useSyncExternalStore(onLanguage, () => i18next.language)

function onLanguage(listener: () => void) {
  i18next.on('languageChanged', listener)
  return () => i18next.off('languageChanged', listener)
}

/** The first of the wanted languages that is available, or available in the same script: `zh-CN` for `zh-Hans`. */
export function bestLanguage(wanted: readonly string[], available: readonly string[]): string {
  for (const one of wanted) {
    const found = available.find((other) => other === one) ?? available.find((other) => isSame(other, one))
    if (found !== undefined) return found
  }
  return 'en'
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((language) => new Intl.Locale(language).maximize())
  return a?.language === b?.language && a?.script === b?.script
}
