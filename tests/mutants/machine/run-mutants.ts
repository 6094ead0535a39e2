import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Judgement, judgeRun } from './judge.ts'
import type { Mutant } from './mutant-data.ts'
import { runTests } from './run-tests.ts'
import { ScratchCopy } from './scratch-copy.ts'
import { testProject } from './select-mutants.ts'

export interface MutantResult extends Judgement {
  mutant: Mutant
  /** From an earlier run that read the same texts. */
  cached: boolean
  seconds: number
}

export interface RunOptions {
  parallel: number
  /** No new mutant is started after these milliseconds; the rest is left for the next run. */
  limitMs: number
  /** Called after each mutant. */
  report: (result: MutantResult) => void
}

const PROJECT_ORDER = ['unit', 'http', 'kube', 'browser']

/**
 * Runs the mutants in scratch copies, those of one test file one after the other. Verdicts are kept by the hash of what was read
 * (source, test, mutant), so a run that was stopped continues.
 */
export async function runMutants(root: string, mutants: Mutant[], options: RunOptions): Promise<MutantResult[]> {
  const verdicts = new VerdictCache(join(root, 'tmp', 'mutants', 'verdicts'))
  const results: MutantResult[] = []
  const add = (result: MutantResult) => {
    results.push(result)
    options.report(result)
  }
  const readRoot = (file: string) => readFileSync(join(root, file), 'utf8')
  const open = mutants.filter((mutant) => {
    const known = verdicts.get(mutantKey(mutant, readRoot))
    if (known !== undefined) add({ mutant, ...known, cached: true, seconds: 0 })
    return known === undefined
  })
  const queue = groupByTest(open)
  const end = performance.now() + options.limitMs
  const work = async () => {
    if (queue.length === 0) return
    using copy = ScratchCopy.claim(root)
    copy.refresh()
    for (let group = queue.shift(); group !== undefined; group = queue.shift()) {
      for (const mutant of group) {
        if (performance.now() > end) return
        const start = performance.now()
        const judgement = await tryMutant(copy, mutant, group, verdicts)
        verdicts.set(
          mutantKey(mutant, (file) => copy.read(file)),
          judgement,
        )
        add({ mutant, ...judgement, cached: false, seconds: (performance.now() - start) / 1000 })
      }
    }
  }
  await Promise.all(Array.from({ length: options.parallel }, work))
  return results
}

/** A failure counts only if the test passes without the mutant. */
async function tryMutant(
  copy: ScratchCopy,
  mutant: Mutant,
  group: Mutant[],
  verdicts: VerdictCache,
): Promise<Judgement> {
  const run = async () => {
    return judgeRun(mutant.id, await runTests(copy.folder, mutant.test, mutant.whole ? [] : [mutant.id]))
  }
  const judgement = await copy.withMutant(mutant, run)
  if ('buildErrors' in judgement) return { verdict: 'broken', reason: judgement.buildErrors.slice(0, 400) }
  if (judgement.verdict !== 'noticed') return judgement
  const clean = await cleanVerdict(copy, mutant, group, verdicts)
  return clean.verdict === 'survived'
    ? judgement
    : { verdict: 'unclear', reason: `without the mutant: ${clean.verdict} ${clean.reason}` }
}

/** Runs the tests of the ids of a group without a mutant, once for all of them. */
async function cleanVerdict(
  copy: ScratchCopy,
  mutant: Mutant,
  group: Mutant[],
  verdicts: VerdictCache,
): Promise<Judgement> {
  const read = (file: string) => copy.read(file)
  const own = verdicts.get(cleanKey(mutant, read))
  if (own !== undefined) return own
  const same = group.filter((each) => each.whole === mutant.whole && !verdicts.get(cleanKey(each, read)))
  const ids = [...new Set(same.map(({ id }) => id))]
  const run = await runTests(copy.folder, mutant.test, mutant.whole ? [] : ids)
  for (const each of same) {
    const judgement = judgeRun(each.id, run)
    // A failure without a mutant is not kept: it may be due to the load.
    if (judgement.verdict === 'survived') verdicts.set(cleanKey(each, read), judgement)
    if (each === mutant && judgement.verdict !== 'survived') return judgement
  }
  return { verdict: 'survived', reason: '' }
}

function groupByTest(mutants: Mutant[]): Mutant[][] {
  const groups = new Map<string, Mutant[]>()
  for (const mutant of mutants) groups.set(mutant.test, [...(groups.get(mutant.test) ?? []), mutant])
  const order = (group: Mutant[]) => PROJECT_ORDER.indexOf(testProject(group[0]?.test ?? ''))
  return [...groups.values()].sort((a, b) => order(a) - order(b))
}

const mutantKey = (mutant: Mutant, read: (file: string) => string) =>
  hashTexts([JSON.stringify(mutant), read(mutant.file), read(mutant.test)])

const cleanKey = (mutant: Mutant, read: (file: string) => string) =>
  hashTexts(['clean', mutant.id, String(mutant.whole), read(mutant.file), read(mutant.test)])

function hashTexts(texts: string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length}\0${text}`)
  return hash.digest('hex').slice(0, 32)
}

/** Verdicts by the hash of what was read, each in a file, so that runs at the same time share them. An `unclear` or `unnamed` one is not kept. */
class VerdictCache {
  constructor(private readonly folder: string) {}

  get(key: string): Judgement | undefined {
    const path = join(this.folder, `${key}.json`)
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Judgement) : undefined
  }

  set(key: string, judgement: Judgement): void {
    if (judgement.verdict === 'unclear' || judgement.verdict === 'unnamed') return
    mkdirSync(this.folder, { recursive: true })
    const path = join(this.folder, `${key}.json`)
    writeFileSync(`${path}.${process.pid}`, JSON.stringify(judgement))
    renameSync(`${path}.${process.pid}`, path)
  }
}
