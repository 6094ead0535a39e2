/** The API server under test. */
export interface KubeTestTarget {
  readonly server: string
  readonly ca: string
  readonly token: string
  /** `judge` is the real server of the recordings, `sandbox` ours, `cluster` any other. */
  readonly kind: 'judge' | 'sandbox' | 'cluster'
  /** Certificate that a kubelet of this cluster must present, and the authority of its clients. Unknown for other clusters. */
  readonly kubelet?: { readonly cert: string; readonly key: string; readonly ca: string }
}
