import { type StartConsoleOptions, startConsole, type TestConsole } from '../../tests/support/console/start-console.ts'

/** Starts the built console as `npm start` does. In the environment of tests, it would also check its answers. */
export async function startProduct({
  env,
  ...options
}: Omit<StartConsoleOptions, 'execArgv'> = {}): Promise<TestConsole> {
  const execArgv = ['--max-semi-space-size=2', '--heap-growing-percent=100']
  return await startConsole({ ...options, execArgv, env: { NODE_ENV: 'production', ...env } })
}
