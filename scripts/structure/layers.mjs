// The layers of the tree, in one place. `structure.mjs` checks every import of the product against them; tests are free.

/** What each package may import: packages, single files of them, or `*` for anything. A package without an entry is free. */
export const PACKAGES = {
  'packages/contract': [],
  'packages/sigv4': [],
  'packages/egress': [],
  'packages/iam-policy': [],
  'packages/kube': [],
  'packages/madmin': ['packages/sigv4'],
  'packages/object-store': ['packages/sigv4', 'packages/iam-policy', 'packages/egress', 'packages/madmin'],
  'apps/web': ['packages/contract', 'packages/iam-policy'],
  'apps/server': [
    'packages/contract',
    'packages/sigv4',
    'packages/madmin',
    'packages/iam-policy',
    'packages/egress',
    'packages/kube',
    'packages/object-store',
  ],
  'sandbox/kube': ['packages/kube'],
  'sandbox/operator': ['packages/kube', 'packages/madmin', 'sandbox/kube'],
}

// The order of the files and folders in a folder, from top to bottom: an import points down. Names in one list are apart: they
// do not import each other. `*.ts` stands for all files without a name of their own here, `*/` for all such folders. In a folder
// without an entry the files are above its folders, and these are apart.
export const LAYERS = {}

/** Files whose imports are not checked, and why. */
export const EXCEPTIONS = {
  'packages/contract/src/call/area-examples.ts': 'types only: an example is the input of the call of its name',
}
