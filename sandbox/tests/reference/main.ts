// `npm run kube`: a real Kubernetes API server with its controllers, until Ctrl-C. Built on the first run.
import { buildReferencePrograms, findReferencePrograms, REFERENCE_VERSION } from './build-reference.ts'
import { startReferenceServer } from './start-reference.ts'

buildReferencePrograms()
const programs = findReferencePrograms()
if ('missing' in programs) {
  console.error(programs.missing)
  process.exit(1)
}
// Tests of operator mode listen at any port.
const judge = await startReferenceServer(programs, { nodePorts: '1024-65535' })
console.log(`Kubernetes ${REFERENCE_VERSION} at ${judge.server}
Administrator's token: ${judge.token}
Kubeconfig: ${judge.kubeconfig}
Run the tests of operator mode against it with STOWAGE_TEST_KUBE=${judge.kubeconfig} npm run test:http -- --no-file-parallelism
tests/http/operator. Press Ctrl-C to stop.`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void judge[Symbol.asyncDispose]().then(() => process.exit(0)))
