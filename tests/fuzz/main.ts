import { parseArgs } from 'node:util'
import { fuzz } from './fuzz-run.ts'

const USAGE = `Usage: npm run fuzz -- [--requests 100000] [--seed 1]

Sends generated requests (S3, admin API, STS, console) to a store and console of its own. Ends with code 1 if it has
anything to complain about. A complaint names the seed of its batch and the request's place in it; the same seed makes
the same requests.
`

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  process.stdout.write(USAGE)
} else {
  const begun = performance.now()
  const report = await fuzz({
    requests: Number(values.requests),
    seed: Number(values.seed),
    report: (line) => process.stdout.write(`${line}\n`),
  })
  const { complaints, ...rest } = report
  console.log(JSON.stringify({ ...rest, seconds: Math.round((performance.now() - begun) / 1000) }, undefined, 2))
  for (const complaint of complaints) console.log(`\n${complaint}`)
  process.exitCode = complaints.length === 0 ? 0 : 1
}
