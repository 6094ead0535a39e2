import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The licenses of the libraries that are part of the program. */
export interface Notices {
  /** Sorted by name. */
  packages: {
    name: string
    version: string
    /** SPDX expression. */
    license: string
    /** Index in `texts`; undefined if the package has no text. */
    text?: number
  }[]
  /** Each once, because many packages have the same one. */
  texts: string[]
}

const ID = 'virtual:notices'
const RESOLVED = `\0${ID}`

/** The module `virtual:notices`, which exports the notices as its default. @param root folder of `package-lock.json` */
export function noticesPlugin(root: string) {
  return {
    name: 'stowage-notices',
    resolveId: (id: string) => (id === ID ? RESOLVED : undefined),
    load: (id: string) => (id === RESOLVED ? `export default ${JSON.stringify(readNotices(root))}` : undefined),
  }
}

/** Reads the notices of the packages that are installed to build and run the program; those to develop it are not among them. */
export function readNotices(root: string): Notices {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<
      string,
      { version?: string; license?: string; dev?: boolean; devOptional?: boolean; link?: boolean }
    >
  }
  const texts = new Map<string, number>()
  const found = new Map<string, Notices['packages'][number]>()
  for (const [path, { version = '', license = '', dev, devOptional, link }] of Object.entries(packages)) {
    const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? []
    if (name === undefined || dev || devOptional || link || found.has(`${name}@${version}`)) continue
    const text = textIn(join(root, path))
    if (text === undefined) continue
    if (text !== '' && !texts.has(text)) texts.set(text, texts.size)
    const index = texts.get(text)
    found.set(`${name}@${version}`, { name, version, license, ...(index !== undefined && { text: index }) })
  }
  const sorted = [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return { packages: sorted, texts: [...texts.keys()] }
}

/** Returns license and notice of a package, which some have in their README only; undefined if it is not installed. */
function textIn(folder: string): string | undefined {
  const files = filesIn(folder)
  if (!files) return undefined
  const read = (file: string) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
  const texts = files.filter((file) => /^((un)?licen[cs]e|copying|notice)/i.test(file)).map(read)
  if (texts.length > 0) return texts.join('\n\n')
  const readme = files.find((file) => /^readme/i.test(file))
  return readme === undefined ? '' : (/^#+ *licen[cs]e.*\n([\s\S]*)/im.exec(read(readme))?.[1]?.trim() ?? '')
}

function filesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))
  } catch {
    // Of another platform.
    return undefined
  }
}
