import i18next, { type FormatterModule } from 'i18next'
import { useSyncExternalStore } from 'react'
import { formatCount } from './locale.ts'
import type { MessageValues, Plural, Translate } from './message.ts'

export { type Message, msg, type Plural, plural, type Translate } from './message.ts'

/** Formats numbers among the values for the language; strings are left unchanged. */
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
  // An empty entry is not translated yet: use the English text.
  returnEmptyString: false,
  interpolation: { escapeValue: false, alwaysFormat: true },
  initAsync: false,
})

/** Returns i18next's options for a text and its values. */
export function i18nOptions(text: string | Plural, values: MessageValues = {}) {
  // In `replace`, so that the name of a placeholder is not taken for an option of i18next.
  const options = { replace: values, nest: false }
  if (typeof text === 'string') return { ...options, defaultValue: text }
  return { ...options, count: Number(values.count), defaultValue_one: text.one, defaultValue: text.other }
}

function translate(text: string | Plural, values?: MessageValues): string {
  return i18next.t(typeof text === 'string' ? text : text.other, i18nOptions(text, values))
}

const createTranslate = (): Translate => (text: string | Plural, values?: MessageValues) => translate(text, values)

/** Translates a text outside of components. */
export const t = createTranslate()

let current = t

/** Subscribes to changes of the texts: another language, or a newly loaded catalogue. */
function subscribe(listener: () => void) {
  i18next.on('languageChanged', listener)
  i18next.store.on('added', listener)
  return () => {
    i18next.off('languageChanged', listener)
    i18next.store.off('added', listener)
  }
}
// A new function each time, so that values memoized by it are recomputed. This listener must run before those of components.
subscribe(() => {
  current = createTranslate()
})

/** Returns the translate function for a component and rerenders it when the language changes. */
export const useT = (): Translate => useSyncExternalStore(subscribe, () => current)
