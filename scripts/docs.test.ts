import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns the paths in code marks of a document; for a pattern (`packages/*`, `areas/…`) the folder before it. */
function pathsIn(document: string, folders: RegExp, below = ''): string[] {
  const text = readFileSync(join(root, document), 'utf8')
  return [...text.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code = '']) => code.split(/\s+/))
    .filter((word) => folders.test(word))
    .map((word) => below + word.replace(/[*…{<:].*$/, ''))
}

/** Created by failed tests, and not in the repository. */
const MADE = 'tests/browser/failures/'

const inTree = /^(apps|packages|sandbox|tests|docs|scripts|bench)\//
test.each([
  ['README.md', pathsIn('README.md', inTree)],
  ['ARCHITECTURE.md', pathsIn('ARCHITECTURE.md', inTree)],
  ['SECURITY.md', pathsIn('SECURITY.md', inTree)],
  ['packages/contract/README.md', pathsIn('packages/contract/README.md', inTree)],
  ['apps/server/README.md', pathsIn('apps/server/README.md', /^src\//, 'apps/server/')],
  ['apps/web/README.md', pathsIn('apps/web/README.md', /^src\//, 'apps/web/')],
  ['CONTRIBUTING.md', pathsIn('CONTRIBUTING.md', inTree)],
  [
    'tests/COVERAGE.md',
    [...pathsIn('tests/COVERAGE.md', inTree), ...pathsIn('tests/COVERAGE.md', /^(http|browser)\/./, 'tests/')],
  ],
])('every path that %s names is there', (_, paths) => {
  expect(paths.filter((path) => path !== MADE && !existsSync(join(root, path)))).toEqual([])
})

test('every npm script that a document names is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const named = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'tests/COVERAGE.md'].flatMap(
    (document) =>
      [...readFileSync(join(root, document), 'utf8').matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name),
  )
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})
