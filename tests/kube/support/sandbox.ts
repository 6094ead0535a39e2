export async function startSandboxTarget(): Promise<{ target: import('./global.ts').Target } & AsyncDisposable> {
  throw new Error('none yet')
}
