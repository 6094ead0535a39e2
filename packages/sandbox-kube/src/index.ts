export type { OidcOptions } from './auth/oidc.ts'
export type { Fault } from './faults.ts'
export { kubeconfigText, type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts'
