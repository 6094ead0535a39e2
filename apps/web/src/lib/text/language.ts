import i18next from 'i18next'
import { useSyncExternalStore } from 'react'
import { PSEUDO } from './locale.ts'
import { loadReasons } from './reasons.ts'

const STORAGE_KEY = 'stowage.language'

const translated = Object.keys(import.meta.glob(['../../texts/*/common.json', '!../../texts/en/*'])).map(
  (file) => file.split('/').at(-2) ?? '',
)
const availableLanguages = ['en', ...translated]

const rememberedLanguage = () => localStorage.getItem(STORAGE_KEY) ?? undefined

/** Returns the languages that a user can choose: English and those with catalogues. */
export function offeredLanguages(): readonly string[] {
  return import.meta.env.DEV || rememberedLanguage() === PSEUDO ? [...availableLanguages, PSEUDO] : availableLanguages
}

/** Returns the name of a language in that language. */
export function languageName(language: string): string {
  return new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
}

/** The catalogues of the current language: for each area, the promise of its loading. */
let loaded = new Map<string, Promise<void>>()

/** Not in the first chunk, because English needs no catalogue. */
const importCatalogues = () => import('./catalogues.ts')

async function addCatalogue(language: string, area: string): Promise<void> {
  const { loadCatalogue } = await importCatalogues()
  i18next.addResourceBundle(language, 'translation', await loadCatalogue(language, area), true)
}

/**
 * Loads the texts of an area in the current language, unless they are loaded. Never rejects: without them the area is shown in
 * English.
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

/** Switches the language. @throws if its texts cannot be loaded; then the language does not change */
async function setLanguage(language: string): Promise<void> {
  const wanted = new Set(['common', ...loaded.keys()])
  if (language !== 'en') await Promise.all([loadReasons(), ...[...wanted].map((area) => addCatalogue(language, area))])
  loaded = new Map([...wanted].map((area) => [area, Promise.resolve()]))
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  void loadRemainingAreas(language)
}

/** Loads the remaining areas one after the other: a page may show a text of another area. */
async function loadRemainingAreas(language: string) {
  if (language === 'en') return
  const { translatedAreas } = await importCatalogues()
  for (const area of translatedAreas(language)) if (language === i18next.language) await loadTexts(area)
}

/** Switches the language and remembers it in this browser. @throws if it cannot be loaded */
export async function chooseLanguage(language: string): Promise<void> {
  await setLanguage(language)
  localStorage.setItem(STORAGE_KEY, language)
}

/** Sets the remembered language, or else the first supported one of the browser's languages. */
export async function startLanguage(): Promise<void> {
  const language =
    offeredLanguages().find((one) => one === rememberedLanguage()) ??
    bestLanguage(navigator.languages, availableLanguages)
  if (language === 'en') return
  // If its texts cannot be loaded, use English rather than no console at all.
  await setLanguage(language).catch((error: unknown) =>
    console.warn(`the texts of ${language} could not be loaded`, error),
  )
}

/** Returns the current language. */
export const useLanguage = () => useSyncExternalStore(onLanguage, () => i18next.language)

function onLanguage(listener: () => void) {
  i18next.on('languageChanged', listener)
  return () => i18next.off('languageChanged', listener)
}

/** Returns the first wanted language that is available, or available in the same script: `zh-CN` for `zh-Hans`. */
export function bestLanguage(wanted: readonly string[], available: readonly string[]): string {
  for (const one of wanted) {
    const found = available.find((other) => other === one) ?? available.find((other) => isSameScript(other, one))
    if (found !== undefined) return found
  }
  return 'en'
}

function isSameScript(one: string, other: string): boolean {
  const [a, b] = [one, other].map((language) => new Intl.Locale(language).maximize())
  return a?.language === b?.language && a?.script === b?.script
}
