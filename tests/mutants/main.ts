import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { VERDICTS, type Verdict } from './machine/judge.ts'
import { findMutantProblems, type Mutant, readMutants } from './machine/mutant-data.ts'
import { type MutantResult, runMutants } from './machine/run-mutants.ts'
import { changedMutants, sampleMutants, testProject } from './machine/select-mutants.ts'

const USAGE = `Usage: npm run mutants -- [options]

Breaks the program as recorded in tests/mutants/*.json, one breakage at a time in a scratch copy (tmp/mutants), and expects
the test that names the requirement to fail. Verdicts are kept by the hash of source, test and mutant, so a run that was
stopped continues. Ends with code 1 if a breakage survived or could not be tried.

  --area BKT          only this area; several are separated by commas
  --id BKT-12         only this requirement; several are separated by commas
  --project unit      only tests of this project: unit, http, kube, browser
  --changed COMMIT    only those whose file, test or entry differs from the commit
  --sample 20         this many, chosen by the seed
  --seed TEXT         default: the commit
  --quick             of a sample: unit and HTTP tests first
  --seconds 150       start no breakage after this time
  --parallel 2        how many copies
  --check             only check that the entries fit the files; runs nothing
  --verbose           show why each test failed
`

const { values } = parseArgs({
  options: {
    area: { type: 'string' },
    id: { type: 'string' },
    project: { type: 'string' },
    changed: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string' },
    quick: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '1e9' },
    parallel: { type: 'string', default: '2' },
    check: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const root = fileURLToPath(new URL('../..', import.meta.url))

if (values.help) {
  process.stdout.write(USAGE)
} else {
  const problems = findMutantProblems(root)
  for (const problem of problems) console.error(problem)
  if (values.check) process.exitCode = problems.length === 0 ? 0 : 1
  else await run(problems)
}

async function run(problems: string[]): Promise<void> {
  const mutants = chosenMutants()
  const results = await runMutants(root, mutants, {
    parallel: Number(values.parallel),
    limitMs: Number(values.seconds) * 1000,
    report: (result) => {
      const isNew = !result.cached || result.verdict !== 'noticed'
      if (isNew || values.verbose) console.log(resultText(result))
    },
  })
  printSummary(mutants, results)
  const isGood = problems.length === 0 && results.every(({ verdict }) => verdict === 'noticed')
  process.exitCode = isGood ? 0 : 1
}

function chosenMutants(): Mutant[] {
  const all = readMutants(root)
  const areas = values.area?.split(',')
  const ids = values.id?.split(',')
  const changed = values.changed === undefined ? all : changedMutants(root, all, values.changed)
  const chosen = changed.filter(
    ({ id, test }) =>
      (areas?.includes(id.slice(0, 3)) ?? true) &&
      (ids?.includes(id) ?? true) &&
      (values.project === undefined || testProject(test) === values.project),
  )
  if (values.sample === undefined) return chosen
  const seed =
    values.seed ?? execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  console.log(`${values.sample} of ${chosen.length} mutants, --seed ${seed}`)
  return sampleMutants(chosen, Number(values.sample), seed, values.quick)
}

function resultText({ mutant, verdict, reason, cached, seconds }: MutantResult): string {
  const time = cached ? 'known' : `${seconds.toFixed(1)} s`
  const head = `${verdict.padEnd(8)} ${mutant.id}  ${time.padStart(7)}  ${mutant.file}  (${mutant.test})`
  const why = verdict === 'noticed' && !values.verbose ? [] : [...diffLines(mutant), ...reason.split('\n')]
  return [head, ...why.filter((line) => line !== '').map((line) => `           ${line}`)].join('\n')
}

function diffLines({ find, replace }: Mutant): string[] {
  return [...find.split('\n').map((line) => `- ${line}`), ...replace.split('\n').map((line) => `+ ${line}`)]
}

function printSummary(mutants: Mutant[], results: MutantResult[]): void {
  const count = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length
  const counts = VERDICTS.filter((verdict) => count(verdict) > 0).map((verdict) => `${count(verdict)} ${verdict}`)
  const left = mutants.length - results.length
  const ids = new Set(results.map(({ mutant }) => mutant.id)).size
  console.log(`${[...counts, ...(left > 0 ? [`${left} not tried`] : [])].join(', ')} (${ids} requirements)`)
}
