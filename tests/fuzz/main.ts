import { parseArgs } from 'node:util'
import { startConsole } from '../support/console/start-console.ts'
import { compareDecisions } from './decisions/decision-run.ts'
import { fuzz } from './fuzz-run.ts'
import { findJobFault } from './job-model.ts'

const USAGE = `Usage: npm run fuzz -- [--requests 100000] [--decisions 100000] [--jobs 2000] [--seed 1]

Sends generated requests (S3, admin API, STS, console) to a store and console of its own. Ends with code 1 if it has
anything to complain about. A complaint names the seed of its batch and the request's place in it; the same seed makes
the same requests. Then compares decisions about generated policies: the store, "Can they?", has-permission and the
pages must agree. Then runs random jobs (copy, move, change, restore, delete) and compares the objects with a model.
`

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    decisions: { type: 'string', default: '100000' },
    jobs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  process.stdout.write(USAGE)
} else {
  const seed = Number(values.seed)
  const report = (line: string) => void process.stdout.write(`${line}\n`)
  const complaints: string[] = []
  if (Number(values.requests) > 0)
    complaints.push(...(await summarize(fuzz({ requests: Number(values.requests), seed, report }))))
  if (Number(values.decisions) > 0) {
    await using c = await startConsole()
    complaints.push(...(await summarize(compareDecisions(c, { decisions: Number(values.decisions), seed, report }))))
  }
  if (Number(values.jobs) > 0) {
    const fault = await findJobFault({ runs: Number(values.jobs), seed })
    if (fault === undefined) report(`${values.jobs} jobs did what the model says`)
    else complaints.push(fault)
  }
  for (const complaint of complaints) console.log(`\n${complaint}`)
  process.exitCode = complaints.length === 0 ? 0 : 1
}

/** Prints the figures of a run and returns its complaints. */
async function summarize(run: Promise<{ complaints: string[] }>): Promise<string[]> {
  const begun = performance.now()
  const { complaints, ...rest } = await run
  console.log(JSON.stringify({ ...rest, seconds: Math.round((performance.now() - begun) / 1000) }, undefined, 2))
  return complaints
}
