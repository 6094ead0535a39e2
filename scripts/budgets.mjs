// Compares the average duration of a test of each suite with its budget. `npm test` prints this after each suite and `npm run
// check` for the last run; it never fails, because a busy machine is slower than a quiet one. `node scripts/budgets.mjs
// --slowest 30` lists the slowest files as well.
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Milliseconds of the whole run per test. */
export const BUDGETS = { unit: 50, http: 400, browser: 2000 }

/** Returns the path of a suite's report. */
export const reportPath = (suite) => join(root, 'tmp', `vitest-${suite}.json`)

/**
 * Returns one line about the last run of a suite, and one for each of its slowest files.
 * @param report of vitest's JSON reporter
 * @param slowest how many files to list
 */
export function describeRun(suite, report, slowest = 0) {
  const files = report.testResults
    .map(({ name, assertionResults, startTime, endTime }) => {
      const count = assertionResults.filter(({ status }) => status === 'passed' || status === 'failed').length
      return { name: relative(root, name), count, ms: endTime - startTime, endTime }
    })
    .filter(({ count }) => count > 0)
  const tests = files.reduce((sum, { count }) => sum + count, 0)
  if (tests === 0) return []
  const wallMs = Math.max(...files.map(({ endTime }) => endTime)) - report.startTime
  const each = wallMs / tests
  const budget = BUDGETS[suite]
  const verdict =
    budget === undefined ? '' : each > budget ? `, over the budget of ${budget} ms` : `, within ${budget} ms`
  const lines = [`${suite}: ${tests} tests in ${(wallMs / 1000).toFixed(0)} s, ${each.toFixed(0)} ms a test${verdict}`]
  for (const { name, count, ms } of files.sort((a, b) => b.ms - a.ms).slice(0, slowest)) {
    lines.push(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${String(count).padStart(4)} tests  ${name}`)
  }
  return lines
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--slowest')
  const slowest = at < 0 ? 0 : Number(process.argv[at + 1] ?? 30)
  for (const suite of Object.keys(BUDGETS)) {
    if (!existsSync(reportPath(suite))) continue
    for (const line of describeRun(suite, JSON.parse(readFileSync(reportPath(suite), 'utf8')), slowest))
      console.log(line)
  }
}
