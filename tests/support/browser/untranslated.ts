import type { Page } from 'playwright-core'

/** Shows every page of a context in the pseudo-locale, in which all letters have accents. */
export async function usePseudoLocale(page: Page) {
  await page.addInitScript(() => localStorage.setItem('stowage.language', 'en-XA'))
}

/** Patterns of content other than texts: names and figures that are the same in every language. */
const data = [
  'Stowage',
  // Names made up by tests.
  '[a-z][a-z-]*-[0-9a-f]{12}',
  // Checksum algorithms.
  '(CRC32C?|CRC64NVME|SHA1|SHA256)',
  // Sizes, times and counts, formatted by `Intl` in English.
  String.raw`\d+ ([KMGTPEZY]i)?B(/s)?`,
  '^[KMGTPEZY]iB$',
  '^(second|minute|hour|day|week|month|year)s?$',
  String.raw`\d+ (byte|second|sec|minute|min|hour|hr|day|week|month|year)s?( ago)?`,
  'English \\(Pseudo-Accents\\)',
  // Names of AWS, versions, addresses, paths.
  String.raw`arn:aws:s3:::\S*`,
  String.raw`(s3|admin):\w+`,
  String.raw`v?\d+\.\d+\.\d+\S*`,
  String.raw`(https?://)?127\.0\.0\.1\S*`,
  String.raw`/[\w./-]+`,
  'application/octet-stream',
]

/**
 * Returns the visible texts of a page in plain letters, which are therefore not translated. Code, keys and times are data.
 * @param names names created by this test
 */
export async function untranslatedTexts(page: Page, names: readonly string[] = []): Promise<string[]> {
  const found = await page.evaluate(() => {
    const texts: string[] = []
    // Names, paths and IDs are in a monospace font; an editor contains user input.
    const notOurs = 'code, kbd, pre, time, script, style, noscript, svg, .mono, .cm-editor, [lang]:not(html)'
    const isSeen = (element: Element) => element.checkVisibility({ checkVisibilityCSS: true })
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (!element || element.closest(notOurs)) continue
      if (isSeen(element)) texts.push(node.textContent ?? '')
    }
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest('code, time, .cm-editor') || !isSeen(element)) continue
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'])
        if (element.hasAttribute(name)) texts.push(element.getAttribute(name) ?? '')
    }
    return [document.title, ...texts]
  })
  const known = new RegExp(
    // Longest first, because one name may be the beginning of another.
    [
      ...names.toSorted((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')),
      ...data,
    ].join('|'),
    'g',
  )
  return [...new Set(found.filter((text) => /[a-z]{2}/i.test(text.replace(known, ''))))]
}

/** Returns the parts of a page whose content is cut or scrolls sideways, but should not. */
export async function overflowingParts(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const cut: string[] = []
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth) cut.push(`the page: ${root.scrollWidth} px in ${root.clientWidth}`)
    for (const element of document.body.querySelectorAll<HTMLElement>(
      'button, a, label, h1, h2, h3, p, dt, legend, summary',
    )) {
      if (!element.checkVisibility({ checkVisibilityCSS: true }) || element.closest('.visually-hidden')) continue
      const style = getComputedStyle(element)
      // A name that is too long may end in an ellipsis; our own texts may not. The sections and tabs of a page scroll sideways.
      if (element.closest('nav, [role="tablist"]')) continue
      if (element.closest('.truncate, [title]') || style.textOverflow === 'ellipsis') continue
      const box = element.getBoundingClientRect()
      const cutOff = element.scrollWidth > element.clientWidth + 1 && style.display !== 'inline'
      const outside = box.right > root.clientWidth + 1 || box.left < -1
      if (cutOff || outside)
        cut.push(
          `${element.tagName} "${element.textContent}": ${element.scrollWidth} px in ${element.clientWidth}, to ${box.right}`,
        )
    }
    return cut
  })
}
