// A sandbox cluster in a process of its own, for tests that kill it. Run by tsx; the argument is its folder.
import { startSandbox } from '@stowage/sandbox-kube'

const { server, ca, token } = await startSandbox({ folder: process.argv[2] ?? '' })
process.send?.({ server, ca, token })
