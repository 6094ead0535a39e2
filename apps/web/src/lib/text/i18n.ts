import i18next from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { en } from './en.ts'

// English is the key. Another language is one more resource, and no text in the code changes for it.
await i18next.use(initReactI18next).init({
  lng: 'en',
  resources: { en: { translation: en } },
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
  // No language detection and no loading: everything is here when the first component asks.
  initAsync: false,
  react: { useSuspense: false },
})

/** A translated text; `count` picks the plural form, `{{name}}` places a value. */
export type Translate = (text: string, values?: Record<string, string | number>) => string

/** For code outside components. Inside, `useT` follows a change of the language. */
export const t: Translate = (text, values) => i18next.t(text, values ?? {})

export function useT(): Translate {
  const { t } = useTranslation()
  return t as Translate
}
