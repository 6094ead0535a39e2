// Computes the catalogues of a language from the texts that were found.

/** Areas whose pages can replace any other page: sign-in, no access, not found. */
const EVERYWHERE = ['session', 'shell']

/** Returns the area of the texts in a file; `common` if they may be shown on pages of any area. */
export function textArea(file) {
  if (file.startsWith('packages/contract/src/admin/dashboard-widgets')) return 'dashboard'
  const [, area, name] = /\/areas\/([^/]+)\/([^:]+)/.exec(file) ?? []
  // The sidebar shows the names of pages.
  return area === undefined || EVERYWHERE.includes(area) || name === 'pages.ts' ? 'common' : area
}

/**
 * Returns the texts of each area. A text of several areas belongs to `common`, because the same English text is one entry.
 * @param {{ text: string, one?: string, at: string }[]} texts
 */
export function byArea(texts) {
  const problems = []
  const known = new Map()
  for (const { text, one, at } of texts) {
    const before = known.get(text)
    const area = textArea(at)
    if (before && before.one !== one) problems.push(`${at} "${text}" has other plural forms at ${before.at}`)
    known.set(text, { one, at, area: before && before.area !== area ? 'common' : area })
  }
  const areas = new Map()
  for (const [text, { one, area }] of known) {
    if (!areas.has(area)) areas.set(area, [])
    areas.get(area).push({ text, one })
  }
  return { areas, problems }
}

/** Returns the keys of a text in a catalogue, each with its English form: one key, or one per plural form of the language. */
function catalogueKeys({ text, one }, language) {
  if (one === undefined) return [[text, text]]
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  return forms.map((form) => [`${text}_${form}`, form === 'one' ? one : text])
}

/**
 * Returns the catalogues of a language: complete for English, otherwise with the existing translations.
 * @param {Map<string, { text: string, one?: string }[]>} areas
 * @param {Record<string, string>} translations existing translations by key
 * @returns {Map<string, Record<string, string>>} by area
 */
export function createCatalogues(language, areas, translations) {
  const catalogues = new Map()
  for (const [area, texts] of areas) {
    const entries = texts
      .flatMap((text) => catalogueKeys(text, language))
      .map(([key, english]) => [key, language === 'en' ? english : (translations[key] ?? '')])
      .sort(([a], [b]) => (a < b ? -1 : 1))
    catalogues.set(area, Object.fromEntries(entries))
  }
  return catalogues
}

const findPlaceholders = (text) => new Set(text.match(/\{\{.*?\}\}|<[^<>]+>/g) ?? [])

/** Returns placeholders that a translation has lost or added. */
export function brokenPlaceholders(key, translation) {
  if (translation === '') return []
  const wanted = findPlaceholders(key.replace(/_(zero|one|two|few|many|other)$/, ''))
  const given = findPlaceholders(translation)
  // The singular form may spell out the number.
  const lost = [...wanted].filter((place) => !given.has(place) && place !== '{{count}}')
  return [...lost, ...[...given].filter((place) => !wanted.has(place))]
}
