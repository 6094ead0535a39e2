import { expect, test } from 'vitest'
import { findProblems, MAX_FILES } from './structure.mjs'

const rules = {
  packages: { 'apps/web': ['packages/contract'] },
  singleImporters: { 'apps/server': { 'packages/object-store': 'apps/server/src/lib/store' } },
  layers: {
    'apps/web/src': ['*.ts', ['areas', 'layout'], 'lib', 'styles.ts'],
    'apps/server/src': ['*.ts', 'areas', 'lib'],
    'packages/store/src': ['http', 'engine'],
  },
  publicParts: {
    'packages/store/src/engine': { part: 'packages/store/src/engine/interface', for: ['packages/store/src/http'] },
  },
  exceptions: { 'apps/web/src/lib/odd.ts': 'a reason' },
  sameNames: { createBucket: 'one operation', 'file:quota.ts': 'one setting' },
}

interface SourceFile {
  path: string
  test?: boolean
  imports?: string[]
  exports?: string[]
  functions?: string[]
}

const findIn = (...files: SourceFile[]): string[] =>
  findProblems(
    files.map((file) => ({ test: false, imports: [], exports: [], functions: [], ...file })),
    rules,
  )

test.each([
  ['down', 'apps/web/src/areas/buckets.ts', 'apps/web/src/lib/api.ts'],
  ['from a file of the folder', 'apps/web/src/main.ts', 'apps/web/src/areas/buckets.ts'],
  ['to a file that has a place of its own', 'apps/web/src/lib/api.ts', 'apps/web/src/styles.ts'],
  ['in one folder', 'apps/web/src/lib/api.ts', 'apps/web/src/lib/text.ts'],
  ['down without an entry', 'apps/web/src/areas/page.ts', 'apps/web/src/areas/parts/row.ts'],
  ['of an allowed package', 'apps/web/src/lib/api.ts', 'packages/contract/src/index.ts'],
  ['by the only importer', 'apps/server/src/lib/store/index.ts', 'packages/object-store/src/index.ts'],
  ['of the public part', 'packages/store/src/http/a.ts', 'packages/store/src/engine/interface/types.ts'],
  ['that is an exception', 'apps/web/src/lib/odd.ts', 'apps/web/src/areas/buckets.ts'],
])('an import %s is allowed', (_, path, target) => expect(findIn({ path, imports: [target] })).toEqual([]))

test.each([
  ['up', 'apps/web/src/lib/api.ts', 'apps/web/src/areas/buckets.ts', 'areas is above lib'],
  [
    'between folders that are apart',
    'apps/web/src/areas/a.ts',
    'apps/web/src/layout/b.ts',
    'areas and layout are apart',
  ],
  ['up without an entry', 'apps/web/src/areas/parts/row.ts', 'apps/web/src/areas/page.ts', 'page.ts is above parts'],
  ['between folders without an entry', 'apps/web/src/areas/a/x.ts', 'apps/web/src/areas/b/y.ts', 'a and b are apart'],
  ['of a folder without a place', 'apps/web/src/new/a.ts', 'apps/web/src/lib/b.ts', 'new has no place in the layers'],
  ['of another package', 'apps/web/src/a.ts', 'packages/kube/src/index.ts', 'apps/web may import packages/contract'],
  [
    'by another importer',
    'apps/server/src/areas/a.ts',
    'packages/object-store/src/index.ts',
    'only apps/server/src/lib/store',
  ],
  [
    'beside the public part',
    'packages/store/src/http/a.ts',
    'packages/store/src/engine/core.ts',
    'only packages/store/src/engine/interface',
  ],
])('an import %s is a problem', (_, path, target, reason) => {
  expect(findIn({ path, imports: [target] })).toEqual([expect.stringContaining(reason)])
})

test('tests may import everything', () => {
  const path = 'apps/web/src/lib/api.test.ts'
  expect(findIn({ path, test: true, imports: ['apps/web/src/areas/buckets.ts'] })).toEqual([])
})

test('a folder has a limited number of source files; tests do not count', () => {
  const files = Array.from({ length: MAX_FILES }, (_, i) => ({ path: `apps/web/src/lib/file-${i}.ts` }))
  const one = { path: 'apps/web/src/lib/another.ts' }
  expect(findIn(...files, { ...one, test: true })).toEqual([])
  expect(findIn(...files, one)).toEqual([`apps/web/src/lib has ${MAX_FILES + 1} source files: ${MAX_FILES} at most`])
})

test('an exported name and a file name are unique, but for those that are listed', () => {
  const [a, b] = ['apps/web/src/lib/a.ts', 'apps/web/src/lib/b.ts']
  expect(findIn({ path: a, exports: ['Target'] }, { path: b, exports: ['Target'] })).toEqual([
    `Target is exported by ${a} and ${b}`,
  ])
  expect(findIn({ path: a, exports: ['createBucket'] }, { path: b, exports: ['createBucket'] })).toEqual([])
  const files = (name: string) => [{ path: `apps/web/src/lib/${name}` }, { path: `apps/web/src/areas/${name}` }]
  expect(findIn(...files('follow.ts'))).toEqual([expect.stringContaining('follow.ts is the name of')])
  expect(findIn(...files('quota.ts'))).toEqual([])
  expect(findIn(...files('index.ts'))).toEqual([])
})

test('no function is named …Of, not even in a test', () => {
  const path = 'tests/http/a.test.ts'
  expect(findIn({ path, test: true, functions: ['textOf', 'quotaText', 'of'] })).toEqual([
    `${path}: textOf does not say what it is`,
  ])
})
