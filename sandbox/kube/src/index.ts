export type { OidcOptions } from './auth/oidc.ts'
export type { SandboxFault } from './http/faults.ts'
export { kubeconfigText, type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts'
