import { namesId } from './mutant-data.ts'

/** The part of a report of vitest's JSON reporter that is read here. */
export interface VitestReport {
  testResults: {
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

export interface TestRun {
  /** Undefined if vitest could not run, or was stopped. */
  report: VitestReport | undefined
  output: string
  /** Whether the run took too long and was stopped. */
  stopped: boolean
}

/**
 * - `noticed`: a test that names the id failed by an assertion
 * - `survived`: all tests that name it passed
 * - `broken`: the mutant does not compile, or nothing starts: it shows nothing about the test
 * - `unnamed`: no test that names the id ran
 * - `unclear`: the test fails without the mutant, too, or the run took too long; not kept
 */
export const VERDICTS = ['noticed', 'survived', 'broken', 'unnamed', 'unclear'] as const
export type Verdict = (typeof VERDICTS)[number]

export interface Judgement {
  verdict: Verdict
  /** The first lines of the failure, if any. */
  reason: string
}

/** Failures of a program that does not work at all: a missing name or module, a syntax error, a console that does not start. */
const NO_PROGRAM =
  /^(Syntax|Reference)Error\b|\bis not defined$|Failed to (resolve|parse|load)|Cannot find (module|package)|before it was ready|Transform failed|PARSE_ERROR/m

const REASON_LINES = 3

/** Judges the run of one mutant. */
export function judgeRun(id: string, { report, output, stopped }: TestRun): Judgement {
  if (stopped) return { verdict: 'unclear', reason: 'the run did not end' }
  // A machine that is too busy to start a process for the tests.
  if (output.includes('Timeout waiting for worker')) return { verdict: 'unclear', reason: lastLines(output) }
  if (report === undefined) return { verdict: 'broken', reason: lastLines(output) }
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const named = results.filter(
    ({ fullName, status }) => namesId(fullName, id) && (status === 'passed' || status === 'failed'),
  )
  const failures = named
    .filter(({ status }) => status === 'failed')
    .map(({ failureMessages }) => failureMessages.join('\n'))
  if (failures.length > 0) {
    const assertion = failures.find((message) => !NO_PROGRAM.test(firstLines(message)))
    return assertion === undefined
      ? { verdict: 'broken', reason: firstLines(failures[0] ?? '') }
      : { verdict: 'noticed', reason: firstLines(assertion) }
  }
  // A file that does not load, or a hook that fails, fails without a failed test.
  const unloaded = report.testResults.find(({ status, message }) => status === 'failed' && message !== '')
  if (named.length === 0 && unloaded !== undefined) return { verdict: 'broken', reason: firstLines(unloaded.message) }
  if (named.length === 0) return { verdict: 'unnamed', reason: 'no test with this id ran' }
  return { verdict: 'survived', reason: '' }
}

// Failures begin with the message; what follows is the stack.
function firstLines(text: string): string {
  return withoutColours(text)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*at /.test(line))
    .slice(0, REASON_LINES)
    .join('\n')
    .slice(0, 400)
}

const lastLines = (text: string) => withoutColours(text).trim().split('\n').slice(-8).join('\n')

// Escape sequences of terminals.
const withoutColours = (text: string) => text.replaceAll(/\u001b\[[0-9;]*m/g, '')
