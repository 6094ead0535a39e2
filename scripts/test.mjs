// `npm test`: everything that CI runs, in order, in a fresh clone too. Ends with `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium } from './chromium.mjs'
import { ensureInstalled } from './install.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)
const bin = (name) => join(root, 'node_modules', '.bin', name)
const total = { passed: 0, failed: 0 }

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

/** Runs one of vitest's projects and adds its tests to the total. */
function suite(project, env) {
  const report = join(root, 'tmp', `vitest-${project}.json`)
  rmSync(report, { force: true })
  const ok = run(
    `${project} tests`,
    bin('vitest'),
    ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    env,
  )
  const result = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { numPassedTests: 0, numFailedTests: 0 }
  total.passed += result.numPassedTests
  total.failed += result.numFailedTests
  // A file that fails to load, or an error outside any test, fails the run without failing a test.
  if (!ok && result.numFailedTests === 0) total.failed++
}

await ensureInstalled()
mkdirSync(join(root, 'tmp'), { recursive: true })
const chromium = findChromium()
check('format and lint', bin('biome'), ['ci', '.'])
check('floating promises and the like', bin('oxlint'), ['--type-aware'])
check('types', bin('tsc'), ['--noEmit'])
check('texts', process.execPath, ['scripts/texts.mjs', '--check'])
check('build', process.execPath, ['scripts/build.mjs'])
suite('unit')
suite('http')
suite('kube')
suite('browser', { CHROMIUM_PATH: chromium })
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
