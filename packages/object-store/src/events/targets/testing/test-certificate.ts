import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Runs a program until it exits. @throws Error with its output if it fails */
type Run = (program: string, args: string[]) => void

const runHere: Run = (program, args) => {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

/** Creates a self-signed certificate for 127.0.0.1, as `cert.pem` and `key.pem`. */
export function makeCertificate(folder: string, run = runHere): void {
  run('/usr/bin/openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'],
    ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')],
  ])
}
