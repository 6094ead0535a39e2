export type { OidcOptions } from './auth/oidc.ts'
export type { SandboxFault } from './faults.ts'
export { kubeconfigText, type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts'
