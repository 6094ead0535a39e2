// `npm run texts`: updates the catalogues from the texts in the code. `npm run texts -- de` adds a language. With `--check`, as
// in `npm run check`, it reports what is missing, and changes nothing.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brokenPlaceholders, byArea, createCatalogues } from './texts/catalogues.mjs'
import { extract } from './texts/extract.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(root, 'apps/web/src/texts')
const [argument] = process.argv.slice(2)
const check = argument === '--check'

const read = (path) => JSON.parse(readFileSync(path, 'utf8'))
const sources = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', 'apps/web/src', 'packages/contract/src'],
  { cwd: root },
)
  .toString()
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\.check\.|\.d\.ts$|\/testing\//.test(file))
  .filter((file) => existsSync(join(root, file)))
const found = sources.map((file) => extract(file, readFileSync(join(root, file), 'utf8')))
const { areas, problems } = byArea(found.flatMap(({ texts }) => texts))
problems.unshift(...found.flatMap((file) => file.problems))

mkdirSync(join(FOLDER, 'en'), { recursive: true })
if (argument !== undefined && !check)
  mkdirSync(join(FOLDER, Intl.getCanonicalLocales(argument)[0]), { recursive: true })
const languages = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

for (const language of languages) {
  const folder = join(FOLDER, language)
  const files = readdirSync(folder)
  const translations = Object.assign({}, ...files.map((file) => read(join(folder, file))))
  const wanted = createCatalogues(language, areas, translations)
  for (const [area, catalogue] of wanted) write(join(folder, `${area}.json`), catalogue)
  for (const file of files) if (!wanted.has(file.replace('.json', ''))) remove(join(folder, file))
  const entries = [...wanted.values()].flatMap((catalogue) => Object.entries(catalogue))
  for (const [key, text] of entries)
    for (const place of brokenPlaceholders(key, text))
      problems.push(`${language}: ${place} in the translation of "${key}"`)
  const empty = entries.filter(([, text]) => text === '').length
  if (empty > 0) console.log(`${language}: ${empty} of ${entries.length} texts are not translated yet`)
}

function write(path, catalogue) {
  const text = `${JSON.stringify(catalogue, null, 2)}\n`
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  if (check) return outdated(path, catalogue)
  writeFileSync(path, text)
  console.log(`wrote ${path.slice(root.length)}`)
}

function remove(path) {
  if (check) problems.push(`${path.slice(root.length)} belongs to no area: run npm run texts`)
  else rmSync(path)
}

function outdated(path, catalogue) {
  const has = existsSync(path) ? read(path) : {}
  const missing = Object.keys(catalogue).filter((key) => !(key in has))
  const unused = Object.keys(has).filter((key) => !(key in catalogue))
  const list = [...missing.map((key) => `lacks "${key}"`), ...unused.map((key) => `has an unused "${key}"`)]
  problems.push(`${path.slice(root.length)} ${list.slice(0, 5).join(', ') || 'is out of order'}: run npm run texts`)
}

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
