/** The release whose answers this server imitates (sandbox/tests/recorded), and how it differs from a real one. */
export const KUBERNETES_VERSION = {
  major: '1',
  minor: '33',
  gitVersion: 'v1.33.13',
  gitCommit: '',
  gitTreeState: 'archive',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'stowage sandbox',
  compiler: 'node',
  platform: `${process.platform}/${process.arch}`,
}
