import { openEngine } from '../open-engine.ts'
import { CRASH_WORKERS, type CrashStep, crashStep } from './crash-steps.ts'
import { bodyStream, testBytes } from './test-engine.ts'

/**
 * The program that `crash.test.ts` kills: several workers write and delete forever, and print `worker step` on stdout for each
 * acknowledged step. Arguments: the folder, and the step at which each worker begins, or `idle` to change nothing.
 */
const [root = '', ...begin] = process.argv.slice(2)
const engine = await openEngine({
  data: `${root}/data`,
  drives: [1, 2, 3, 4].map((i) => `${root}/drive${i}`),
  minFree: 0,
})

async function perform(step: CrashStep): Promise<void> {
  if (step.kind === 'delete') await engine.deleteObject('b', step.key)
  else {
    const options = step.encrypted ? { encryption: { mode: 'SSE-S3' } as const } : {}
    await engine.putObject('b', step.key, bodyStream(testBytes(step.size, step.seed)), options)
  }
}

async function work(worker: number): Promise<never> {
  for (let n = Number(begin[worker] ?? 0); ; n++) {
    await perform(crashStep(worker, n))
    process.stdout.write(`${worker} ${n}\n`)
  }
}

process.stdout.write('ready\n')
if (begin[0] === 'idle') setInterval(() => undefined, 1000)
else await Promise.all(Array.from({ length: CRASH_WORKERS }, (_, worker) => work(worker)))
