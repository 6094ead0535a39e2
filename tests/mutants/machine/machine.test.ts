import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { judgeRun, type VitestReport } from './judge.ts'
import { applyMutant, findMutantProblems, type Mutant, namesId } from './mutant-data.ts'
import { sampleMutants, testProject } from './select-mutants.ts'

const base: Mutant = { id: 'ABC-01', file: 'src/size.ts', find: 'a + b', replace: 'a - b', test: 'src/size.test.ts' }

/** Writes a tree with one source, one test and the given mutants. */
function writeTree(mutants: object[]): string {
  const root = mkdtempSync(join(tmpdir(), 'mutants-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const files = {
    'src/size.ts': 'export const sum = (a: number, b: number) => a + b\nexport const twice = [1, 1]\n',
    'src/size.test.ts': "test('sums [ABC-01] [ABC-11]', () => {})\n",
    'tests/mutants/ABC.json': JSON.stringify(mutants),
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

test.each([
  ['a mutant that fits', {}, undefined],
  ['a text that is gone', { find: 'a * b' }, /finds its text 0 times/],
  ['a text that occurs twice', { find: '1', replace: '2' }, /finds its text 2 times/],
  ['a replacement that changes nothing', { replace: 'a + b' }, /by itself/],
  ['a text that is no program', { replace: 'a +' }, /no program/],
  ['a file that was moved', { file: 'src/gone.ts' }, /does not exist/],
  ['a test that was moved', { test: 'src/gone.test.ts' }, /does not exist/],
  ['a test that does not name the id', { id: 'ABC-02' }, /not named by a test/],
  ['an id of another area', { id: 'XYZ-01' }, /does not belong to ABC/],
  ['a field that is misspelled', { wohle: true }, /unknown fields: wohle/],
])('%s is reported as such', (_, change, problem) => {
  const found = findMutantProblems(writeTree([{ ...base, ...change }]))
  if (problem === undefined) expect(found).toEqual([])
  else expect(found).toEqual([expect.stringMatching(problem)])
})

test('a mutant that is recorded twice is reported', () => {
  expect(findMutantProblems(writeTree([base, base]))).toEqual([expect.stringContaining('recorded twice')])
})

test('a replacement is taken literally', () => {
  expect(applyMutant('x = 1', { find: '1', replace: "$& + $'" })).toBe("x = $& + $'")
})

test('an id is not found in a longer one', () => {
  expect([namesId('sums [ABC-1]', 'ABC-1'), namesId('sums [ABC-11]', 'ABC-1')]).toEqual([true, false])
})

const report = (fullName: string, ...failureMessages: string[]): VitestReport => ({
  testResults: [
    {
      status: failureMessages.length > 0 ? 'failed' : 'passed',
      message: '',
      assertionResults: [{ fullName, status: failureMessages.length > 0 ? 'failed' : 'passed', failureMessages }],
    },
  ],
})
const run = (report: VitestReport | undefined, stopped = false) => ({ report, output: 'no output', stopped })
const unloaded = { testResults: [{ status: 'failed', message: 'a hook failed', assertionResults: [] }] }

test.each([
  ['an assertion', run(report('sums [ABC-01]', 'AssertionError: expected 1 to be 2')), 'noticed'],
  ['a text that does not appear', run(report('sums [ABC-01]', 'TimeoutError: locator.waitFor')), 'noticed'],
  ['no failure', run(report('sums [ABC-01]')), 'survived'],
  ['a failure of another test', run(report('sums [ABC-02]', 'AssertionError: x')), 'unnamed'],
  ['a name that is missing', run(report('sums [ABC-01]', 'ReferenceError: c is not defined')), 'broken'],
  ['a console that does not start', run(report('[ABC-01]', 'Error: ended with 1 before it was ready')), 'broken'],
  ['a file that does not load', run(unloaded), 'broken'],
  ['no report', run(undefined), 'broken'],
  ['a run without an end', run(undefined, true), 'unclear'],
])('%s is judged', (_, result, verdict) => expect(judgeRun('ABC-01', result).verdict).toBe(verdict))

test('a sample depends on its seed, and a quick one has browser tests last', () => {
  const all = Array.from({ length: 40 }, (_, at) => ({
    ...base,
    find: String(at),
    test: at % 2 === 0 ? 'tests/browser/a.test.ts' : 'src/size.test.ts',
  }))
  const sample = (seed: string, quick = false) => sampleMutants(all, 10, seed, quick)
  expect(sample('1')).toEqual(sample('1'))
  expect(sample('1')).not.toEqual(sample('2'))
  expect(sample('1', true).map(({ test: file }) => testProject(file))).toEqual(Array(10).fill('unit'))
})
