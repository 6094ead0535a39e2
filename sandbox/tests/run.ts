// `npm run test:kube`: the suite of sandbox/tests against the real API server, or against the cluster of STOWAGE_TEST_KUBE.
// `--record` keeps the reference server's answers in sandbox/tests/recorded; other arguments go to vitest.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findReferencePrograms } from './reference/build-reference.ts'
import { type ReferenceServer, startReferenceServer } from './reference/start-reference.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const args = process.argv.slice(2)
const env: NodeJS.ProcessEnv = { ...process.env }
let judge: ReferenceServer | undefined

if (args.includes('--record')) env.STOWAGE_RECORD_KUBE = '1'
if (!env.STOWAGE_TEST_KUBE) {
  const programs = findReferencePrograms()
  if ('missing' in programs) {
    console.error(programs.missing)
    process.exit(1)
  }
  judge = await startReferenceServer(programs)
  env.STOWAGE_TEST_KUBE = judge.kubeconfig
  env.STOWAGE_TEST_KUBE_JUDGE = join(dirname(judge.kubeconfig), 'kubelet.json')
}
const vitest = spawn(
  join(root, 'node_modules', '.bin', 'vitest'),
  ['run', '--project', 'kube', ...args.filter((arg) => arg !== '--record')],
  { stdio: 'inherit', cwd: root, env },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => vitest.kill(signal))
const [code] = (await once(vitest, 'exit')) as [number | null]
await judge?.[Symbol.asyncDispose]()
process.exit(code ?? 1)
