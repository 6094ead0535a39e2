// The licenses of all packages that are part of the product, with their texts. `vite.config.ts` writes them to notices.txt, which
// the License page links to.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

interface LockedPackage {
  version: string
  license?: string
  dev?: boolean
  devOptional?: boolean
  link?: boolean
}

interface DistributedPackage {
  name: string
  version: string
  license: string | undefined
  folder: string
}

const LICENSE_FILE = /^(un)?(licen[cs]e|copying|notice)/i

/** Returns the packages that are installed without development dependencies, by name and version. */
function distributed(): DistributedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const found = new Map<string, DistributedPackage>()
  for (const [path, { version, license, dev, devOptional, link }] of Object.entries(packages)) {
    const folder = join(root, path)
    // Optional packages for other systems are not installed.
    if (!path.includes('node_modules/') || dev || devOptional || link || !existsSync(folder)) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    found.set(`${name} ${version}`, { name, version, license, folder })
  }
  return [...found.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1))
}

/** Returns the notices: each license text once, below the packages that have it. */
export function notices(): string {
  const byText = new Map<string, string[]>()
  for (const { name, version, license, folder } of distributed()) {
    const files = readdirSync(folder)
      .filter((file) => LICENSE_FILE.test(file))
      .sort()
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim())
    const text = texts.join('\n\n') || `License: ${license ?? 'see the package'}. The package contains no license text.`
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license ?? 'license in its text'})`])
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`)
  return `Stowage contains these packages.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`
}
