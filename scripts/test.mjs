// `npm test`: runs everything that CI runs, in order, also in a fresh clone. The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBrokers, findEmulators } from './brokers.mjs'
import { describeRun, reportPath } from './budgets.mjs'
import { findChromium } from './chromium.mjs'
import { ensureInstalled } from './install.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)
const bin = (name) => join(root, 'node_modules', '.bin', name)
/** Number of slow files listed after each suite. */
const SLOWEST = 5
/** With more failed files the code is broken, and repeating them would only take time. */
const MAX_REPEATED = 5
const total = { passed: 0, failed: 0 }
const unsteady = []
/** Failures with the first lines of their causes, repeated at the end of the output. */
const failures = []
const CAUSE_LINES = 8

function run(name, command, args, env = {}) {
  console.log(`\n── ${name}`)
  const start = performance.now()
  const quiet = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' }
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...quiet, ...env } })
  console.log(`   ${name}: ${status === 0 ? 'ok' : 'FAILED'} in ${((performance.now() - start) / 1000).toFixed(0)} s`)
  return status === 0
}

function check(name, command, args) {
  if (run(name, command, args)) {
    total.passed++
    return
  }
  total.failed++
  failures.push(name)
}

function vitest(project, env, report, files = []) {
  const errorsFile = report.replace(/json$/, 'errors.json')
  for (const file of [report, errorsFile]) rmSync(file, { force: true })
  const ok = run(
    files.length === 0 ? `${project} tests` : `${project} tests once more, one file at a time`,
    bin('vitest'),
    [
      ...['run', '--project', project, `--outputFile.json=${report}`],
      ...['default', 'json', './scripts/errors-reporter.mjs'].map((name) => `--reporter=${name}`),
      ...(files.length === 0 ? [] : ['--no-file-parallelism', ...files]),
    ],
    { ...env, STOWAGE_TEST_ERRORS: errorsFile },
  )
  const empty = { numPassedTests: 0, numFailedTests: 0, testResults: [], startTime: 0 }
  return { ok, errors: readJson(errorsFile) ?? [], ...(readJson(report) ?? empty) }
}

const readJson = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

/**
 * Runs one of vitest's projects and adds its tests to the total. Failed files run once more, alone: tests that then pass count
 * as passed, and are listed at the end as unsteady.
 */
function suite(project, env) {
  const first = vitest(project, env, reportPath(project))
  for (const line of describeRun(project, first, SLOWEST)) console.log(`   ${line}`)
  total.passed += first.numPassedTests
  if (first.ok) return
  const failed = failedFiles(first)
  if (failed.length === 0 || failed.length > MAX_REPEATED) {
    // A file that fails to load, or an error outside any test, fails the run without a failed test.
    total.failed += Math.max(first.numFailedTests, 1)
    failures.push(...failureCauses(project, first))
    return
  }
  const second = vitest(project, env, reportPath(`${project}-again`), failed)
  // Tests in a file that could not be loaded have not failed, and are counted now.
  const before = new Set(testNames(first, 'passed'))
  const repeated = testNames(second, 'passed').filter((name) => !before.has(name))
  unsteady.push(...repeated)
  total.passed += repeated.length
  total.failed += Math.max(second.numFailedTests, second.ok ? 0 : 1)
  if (second.ok) return
  failures.push(...failureCauses(project, second))
}

/** Returns files with a failed test, files that could not be loaded, and files with an error outside any test. */
function failedFiles({ testResults, errors }) {
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
  const broken = errors.flatMap(({ file }) => (file === undefined ? [] : [file]))
  return [...new Set([...failed, ...broken])].map((file) => relative(root, file))
}

const testNames = ({ testResults }, status) =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter((result) => result.status === status)
      .map(({ fullName }) => `${relative(root, name)}: ${fullName}`),
  )

/** Returns the failures of a run: failed tests, files that could not be loaded, errors outside any test. */
function failureCauses(project, { testResults, errors }) {
  const tests = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((result) => result.status === 'failed')
    if (status === 'failed' && failed.length === 0) return [`${file}: ${firstLines(message)}`]
    return failed.map(
      ({ fullName, failureMessages }) => `${file}: ${fullName}\n${firstLines(failureMessages.join('\n'))}`,
    )
  })
  const outside = errors.map(({ file, cause }) => `${file ?? project}, outside any test: ${firstLines(cause)}`)
  return tests.length + outside.length > 0 ? [...tests, ...outside] : [`${project}: vitest could not run`]
}

const firstLines = (text = '') => text.split('\n').slice(0, CAUSE_LINES).join('\n')

await ensureInstalled()
mkdirSync(join(root, 'tmp'), { recursive: true })
const chromium = findChromium()
findBrokers()
findEmulators()
check('format and lint', bin('biome'), ['ci', '.'])
check('floating promises and the like', bin('oxlint'), ['--type-aware'])
check('types', bin('tsc'), ['--noEmit'])
check('rooms, layers and names', process.execPath, ['scripts/structure/structure.mjs'])
check('texts', process.execPath, ['scripts/texts.mjs', '--check'])
check('recorded breakages', bin('tsx'), ['tests/mutants/main.ts', '--check'])
check('unused files, exports and dependencies', bin('knip'), [])
check('build', process.execPath, ['scripts/build.mjs'])
suite('unit')
suite('http')
suite('kube')
suite('browser', { CHROMIUM_PATH: chromium })
if (unsteady.length > 0) console.log(`\nUnsteady: failed at first, passed alone. Each is a defect.`)
for (const name of unsteady) console.log(`   ${name}`)
if (failures.length > 0) console.log('\nFailed:')
for (const failure of failures) console.log(`   ${failure.replaceAll('\n', '\n      ')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
