import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { type Mutant, parseMutants } from './mutant-data.ts'

/** Which of vitest's projects has the test file; `unit` needs no build. */
export type TestProjectName = 'unit' | 'cost' | 'http' | 'kube' | 'browser'

export function testProject(test: string): TestProjectName {
  if (test.startsWith('tests/browser/')) return 'browser'
  if (test.startsWith('tests/http/') || test.startsWith('tests/fuzz/')) return 'http'
  if (test.startsWith('tests/cost/')) return 'cost'
  return test.startsWith('sandbox/tests/') ? 'kube' : 'unit'
}

/**
 * Returns `count` mutants in an order that depends on the seed alone. `quick` takes unit and HTTP tests first, because a browser
 * test takes a build of the web app and half a minute.
 */
export function sampleMutants(mutants: Mutant[], count: number, seed: string, quick: boolean): Mutant[] {
  const place = (mutant: Mutant) => {
    const slow = quick && ['browser', 'kube'].includes(testProject(mutant.test)) ? 1 : 0
    return `${slow}${createHash('sha256')
      .update(`${seed}\0${JSON.stringify(mutant)}`)
      .digest('hex')}`
  }
  return mutants
    .map((mutant) => ({ mutant, place: place(mutant) }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}

/** Returns the mutants whose file, test or own entry differs from a commit. */
export function changedMutants(root: string, mutants: Mutant[], commit: string): Mutant[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
  const files = new Set([
    ...git('diff', '--name-only', commit).split('\n'),
    ...git('ls-files', '--others', '--exclude-standard').split('\n'),
  ])
  const before = new Set(
    git('ls-tree', '-r', '--name-only', commit, 'tests/mutants')
      .split('\n')
      .filter((path) => path.endsWith('.json'))
      .flatMap((path) => parseMutants(git('show', `${commit}:${path}`)))
      .map((mutant) => JSON.stringify(mutant)),
  )
  return mutants.filter(
    (mutant) => files.has(mutant.file) || files.has(mutant.test) || !before.has(JSON.stringify(mutant)),
  )
}
