import i18next, { type FormatterModule } from 'i18next'
import { useSyncExternalStore } from 'react'
import { formatCount } from './locale.ts'
import type { Plural, Translate, Values } from './message.ts'

export { type Message, msg, type Plural, plural, type Translate } from './message.ts'

/** Numbers among the values are written as the language does; texts stay as they are. */
const numbers: FormatterModule = {
  type: 'formatter',
  init() {},
  add() {},
  addCached() {},
  format: (value) => (typeof value === 'number' ? formatCount(value) : value),
}

// The English text is the key, so English needs no catalogue. `language.ts` adds those of other languages.
await i18next.use(numbers).init({
  lng: 'en',
  load: 'currentOnly',
  fallbackLng: false,
  resources: {},
  keySeparator: false,
  nsSeparator: false,
  // An entry that is not translated yet.
  returnEmptyString: false,
  interpolation: { escapeValue: false, alwaysFormat: true },
  initAsync: false,
})

/** i18next's options for a text and its values. */
export function optionsFor(text: string | Plural, values: Values = {}) {
  // In `replace`, where no name of a place is taken for an option of i18next.
  const options = { replace: values, nest: false }
  if (typeof text === 'string') return { ...options, defaultValue: text }
  return { ...options, count: Number(values.count), defaultValue_one: text.one, defaultValue: text.other }
}

function translate(text: string | Plural, values?: Values): string {
  return i18next.t(typeof text === 'string' ? text : text.other, optionsFor(text, values))
}

const createTranslate = (): Translate => (text: string | Plural, values?: Values) => translate(text, values)

/** Translates a text outside of components. */
export const t = createTranslate()

let current = t

/** Calls back when other texts are to be shown: in another language, or from a catalogue that was just loaded. */
function subscribe(listener: () => void) {
  i18next.on('languageChanged', listener)
  i18next.store.on('added', listener)
  return () => {
    i18next.off('languageChanged', listener)
    i18next.store.off('added', listener)
  }
}
// Another function each time, for what is memoized by it. The first to be called, before any component.
subscribe(() => {
  current = createTranslate()
})

/** Translates in a component, which is drawn again when the language changes. */
export const useT = (): Translate => useSyncExternalStore(subscribe, () => current)
