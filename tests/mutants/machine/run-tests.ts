import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestRun, VitestReport } from './judge.ts'
import { testProject } from './select-mutants.ts'

/** A run that takes longer hangs. */
const LIMIT_MS = 400_000
/** How long tests with a mutant wait for something to appear; the suites wait longer, because they share the machine. */
const WAIT_MS = 15_000

/**
 * Runs a test file in a folder.
 * @param ids run only the tests that name one of them; none: all tests
 */
export async function runTests(folder: string, test: string, ids: string[]): Promise<TestRun> {
  const reportFile = join(folder, 'tmp', 'mutant-report.json')
  mkdirSync(join(folder, 'tmp'), { recursive: true })
  rmSync(reportFile, { force: true })
  const args = [
    ...[join(folder, 'node_modules/vitest/vitest.mjs'), 'run', '--project', testProject(test), test],
    ...['--reporter=json', `--outputFile.json=${reportFile}`, '--passWithNoTests'],
    ...(ids.length > 0 ? ['-t', `(${ids.join('|')})(?!\\d)`] : []),
  ]
  // A group of its own, so that a run that hangs ends with everything it started.
  const child = spawn(process.execPath, args, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      STOWAGE_TEST_WAIT_MS: String(WAIT_MS),
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: '1',
    },
  })
  const endGroup = () => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group has ended.
    }
  }
  process.once('exit', endGroup)
  let stopped = false
  const timer = setTimeout(() => {
    stopped = true
    endGroup()
  }, LIMIT_MS)
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  await new Promise((resolve) => child.once('exit', resolve))
  clearTimeout(timer)
  endGroup()
  process.off('exit', endGroup)
  const report = existsSync(reportFile) ? (JSON.parse(readFileSync(reportFile, 'utf8')) as VitestReport) : undefined
  return { report, output, stopped }
}
