// `npm test`: everything that CI runs, in order, in a fresh clone too. Ends with `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBrokers } from './brokers.mjs'
import { describeRun, reportOf } from './budgets.mjs'
import { findChromium } from './chromium.mjs'
import { ensureInstalled } from './install.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)
const bin = (name) => join(root, 'node_modules', '.bin', name)
/** Files that are named after each suite: where to look when it gets slow. */
const SLOWEST = 5
/** With more failed files than this something is broken, and a second run would only cost time. */
const MOST_REPEATED = 5
const total = { passed: 0, failed: 0 }
const unsteady = []

function run(name, command, args, env = {}) {
  console.log(`\n── ${name}`)
  const start = performance.now()
  const quiet = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' }
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...quiet, ...env } })
  console.log(`   ${name}: ${status === 0 ? 'ok' : 'FAILED'} in ${((performance.now() - start) / 1000).toFixed(0)} s`)
  return status === 0
}

function check(name, command, args) {
  if (run(name, command, args)) total.passed++
  else total.failed++
}

function vitest(project, env, report, files = []) {
  rmSync(report, { force: true })
  const ok = run(
    files.length === 0 ? `${project} tests` : `${project} tests once more, one file at a time`,
    bin('vitest'),
    [
      ...['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      ...(files.length === 0 ? [] : ['--no-file-parallelism', ...files]),
    ],
    env,
  )
  const empty = { numPassedTests: 0, numFailedTests: 0, testResults: [], startTime: 0 }
  return { ok, ...(existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : empty) }
}

/**
 * Runs one of vitest's projects and adds its tests to the total. Files that failed run once more, alone: what passes then is
 * counted as passed, and listed at the end as unsteady, because it failed on a busy machine.
 */
function suite(project, env) {
  const first = vitest(project, env, reportOf(project))
  for (const line of describeRun(project, first, SLOWEST)) console.log(`   ${line}`)
  total.passed += first.numPassedTests
  if (first.ok) return
  const failed = first.testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name))
  if (failed.length === 0 || failed.length > MOST_REPEATED) {
    // A file that fails to load, or an error outside any test, fails the run without failing a test.
    total.failed += Math.max(first.numFailedTests, 1)
    return
  }
  const second = vitest(project, env, reportOf(`${project}-again`), failed)
  const failures = new Set(namesOf(first, 'failed'))
  const repeated = namesOf(second, 'passed').filter((name) => failures.has(name))
  unsteady.push(...repeated)
  total.passed += repeated.length
  total.failed += Math.max(failures.size - repeated.length, second.ok ? 0 : 1)
}

const namesOf = ({ testResults }, status) =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter((result) => result.status === status)
      .map(({ fullName }) => `${relative(root, name)}: ${fullName}`),
  )

await ensureInstalled()
mkdirSync(join(root, 'tmp'), { recursive: true })
const chromium = findChromium()
findBrokers()
check('format and lint', bin('biome'), ['ci', '.'])
check('floating promises and the like', bin('oxlint'), ['--type-aware'])
check('types', bin('tsc'), ['--noEmit'])
check('texts', process.execPath, ['scripts/texts.mjs', '--check'])
check('unused files, exports and dependencies', bin('knip'), [])
check('build', process.execPath, ['scripts/build.mjs'])
suite('unit')
suite('http')
suite('kube')
suite('browser', { CHROMIUM_PATH: chromium })
if (unsteady.length > 0) console.log(`\nUnsteady: failed at first, passed alone. Each is a defect.`)
for (const name of unsteady) console.log(`   ${name}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
