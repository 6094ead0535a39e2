// The layers of the tree, in one place. `structure.mjs` checks every import of the product against them; tests are free.

/** What each package may import: packages, or single files of them. A package without an entry is free. */
export const PACKAGES = {
  // Types of actions only: the plain half of the contract is in the first chunk of the web app.
  'packages/contract': ['packages/iam-policy'],
  'packages/sigv4': [],
  'packages/egress': [],
  'packages/iam-policy': [],
  'packages/kube': [],
  'packages/madmin': ['packages/sigv4'],
  'packages/object-store': ['packages/sigv4', 'packages/iam-policy', 'packages/egress', 'packages/madmin'],
  'apps/web': ['packages/contract', 'packages/iam-policy', 'scripts/notices.ts'],
  // Only `lib/store-package` also imports the store's package: see SINGLE_IMPORTERS.
  'apps/server': [
    'packages/contract',
    'packages/sigv4',
    'packages/madmin',
    'packages/iam-policy',
    'packages/egress',
    'packages/kube',
    'packages/object-store',
  ],
  'sandbox/kube': ['packages/contract', 'packages/kube'],
  'sandbox/operator': ['packages/contract', 'packages/kube', 'packages/madmin', 'sandbox/kube'],
}

/** Packages that only one folder of another package may import. */
export const SINGLE_IMPORTERS = {
  'apps/server': { 'packages/object-store': 'apps/server/src/lib/store-package' },
}

/** Of the store's engine the folders above it know the types only. */
const STORE_ABOVE_ENGINE = ['http', 'applied-config', 'audit', 'events', 'iam', 'health', 'config', 'requests'].map(
  (name) => `packages/object-store/src/${name}`,
)
/** Folders of which other folders may import a part only. */
export const PUBLIC_PARTS = {
  'packages/object-store/src/engine': { part: 'packages/object-store/src/engine/interface', for: STORE_ABOVE_ENGINE },
}

// The order of the files and folders in a folder, from top to bottom: an import points down. Names in one list are apart: they
// do not import each other. `*.ts` stands for all files without a name of their own here. In a folder without an entry the files
// are above its folders, and these are apart.
export const LAYERS = {
  'apps/server/src': ['*.ts', ['areas', 'plugins'], 'lib'],
  // An area that others import is their named owner of what they share.
  'apps/server/src/areas': [
    ['account', 'groups', 'heal', 'health-info', 'license', 'replication', 'service-accounts', 'trace', 'watch'],
    ['logs', 'notification-targets', 'tiers', 'users', 'volumes'],
    ['configs', 'policies', 'tenants'],
    'buckets',
    ['admin', 'objects', 'session'],
  ],
  'apps/server/src/areas/objects': [
    '*.ts',
    'jobs',
    'versions',
    ['download', 'search', 'uploads'],
    ['archive', 'listing', 'share'],
    'details',
  ],
  'apps/server/src/areas/session': ['*.ts', 'operator', 'sso', 'sign-in', ['access', 'sealed-sessions']],
  'apps/server/src/areas/tenants': [
    '*.ts',
    'screens',
    ['console', 'drain', 'security'],
    ['create-and-delete', 'details'],
    ['configuration', 'pods'],
    ['certificates', 'cluster', 'kube-objects', 'pools'],
  ],
  'apps/server/src/lib': [
    'http',
    ['kube', 'metrics', 'permissions', 'threads'],
    ['audit', 'program', 'storage'],
    ['config', 'errors'],
    ['license', 'session', 'store-package', 'util', 'xml', 'zip'],
  ],
  'apps/server/src/lib/audit': ['*.ts', ['database', 'segments'], 'search', 'records'],
  'apps/server/src/lib/http': ['*.ts', ['downloads', 'limits', 'sockets']],
  'apps/server/src/lib/metrics': ['*.ts', ['history', 'sampling'], 'series'],
  'apps/web/src': ['*.ts', 'layout', 'pages.ts', 'areas', 'transfers', 'ui', ['lib', 'styles']],
  'apps/web/src/areas': [
    [
      'account',
      'groups',
      'heal',
      'health-info',
      'license',
      'objects',
      'session',
      'settings',
      'shell',
      'trace',
      'users',
      'watch',
    ],
    ['buckets', 'service-accounts', 'volumes'],
    ['dashboard', 'logs', 'policies', 'replication', 'tenants'],
  ],
  'apps/web/src/areas/buckets': [
    '*.ts',
    'list',
    ['access', 'create', 'summary'],
    ['bucket', 'events', 'settings'],
    ['lifecycle', 'styles'],
  ],
  'apps/web/src/areas/dashboard': ['*.ts', 'usage', ['history', 'servers'], ['board', 'dashboard.module.css']],
  'apps/web/src/areas/logs': ['*.ts', 'request', ['audit', 'error-logs'], 'logs.module.css'],
  'apps/web/src/areas/objects': [
    '*.ts',
    'folder',
    ['object', 'search'],
    'actions',
    ['buckets', 'jobs'],
    ['entries', 'links', 'preview'],
    ['styles', 'uploads'],
  ],
  'apps/web/src/areas/policies': [
    '*.ts',
    ['can-they', 'workbench'],
    ['conditions', 'directory', 'editor'],
    'policies.module.css',
  ],
  'apps/web/src/areas/settings': ['*.ts', ['configurations', 'notifications', 'tiers'], 'form', 'settings.module.css'],
  'apps/web/src/areas/tenants': [
    '*.ts',
    ['pools', 'tenant'],
    ['list', 'wizard'],
    ['certificates', 'cluster'],
    ['delete', 'tenants.module.css'],
  ],
  'apps/web/src/areas/tenants/tenant': ['*.ts', ['console', 'pods', 'volumes'], ['events', 'logs', 'yaml']],
  'apps/web/src/areas/tenants/wizard': ['*.ts', ['size', 'steps'], 'fields', 'draft'],
  'apps/web/src/layout': ['*.ts', 'palette', 'controls'],
  'apps/web/src/lib': ['session', ['changes', 'navigation'], ['data', 'feedback'], 'api', 'text', '*.ts'],
  'apps/web/src/transfers': ['tray', '*.ts', 'jobs', 'uploads', 'list'],
  'apps/web/src/ui': [
    'code',
    ['dialog', 'form', 'page', 'table'],
    'feedback',
    'lazy',
    ['controls', 'live', 'values'],
    ['icons', 'keyboard'],
  ],
  bench: ['*.ts', ['dashboard', 'servers', 'settings'], 'lib'],
  'packages/contract/src': [
    '*.ts',
    ['admin', 'heal', 'objects', 'replication', 'watch'],
    ['account', 'buckets', 'notification-targets', 'volumes'],
    ['configs', 'groups', 'health-info', 'logs', 'policies', 'service-accounts', 'tenants', 'tiers', 'trace', 'users'],
    ['license', 'session'],
    ['call', 'values'],
    'reasons',
  ],
  'packages/iam-policy/src': [
    '*.ts',
    ['evaluate', 'parse'],
    'condition',
    ['match', 'operations'],
    ['actions', 'documents'],
    ['json', 'language'],
  ],
  'packages/madmin/src': [
    '*.ts',
    ['buckets', 'config', 'iam', 'servers', 'sts'],
    ['lifecycle', 'transport'],
    ['formats', 'sealing'],
  ],
  'packages/object-store/src': [
    '*.ts',
    'http',
    ['applied-config', 'audit'],
    ['events', 'iam'],
    ['config', 'health', 'lifecycle', 'replication', 'requests', 'tiers'],
    'engine',
    'bucket-settings',
    'journal',
    ['blobs', 'index-db', 'key-ring'],
    ['drives', 'settings'],
    ['lib', 'process'],
  ],
  'packages/object-store/src/engine': [
    '*.ts',
    ['lifecycle', 'repair', 'uploads'],
    'objects',
    'replication',
    'versions',
    ['buckets', 'encryption'],
    'core',
    'records',
    'commit',
    'interface',
  ],
  'packages/object-store/src/events': ['*.ts', 'thread', 'targets', 'delivery'],
  'packages/object-store/src/http': ['*.ts', 'metrics', 'admin', ['s3', 'sts'], 'auth', 'bodies', 'call'],
  'packages/object-store/src/http/admin': [
    '*.ts',
    ['buckets', 'diagnostics'],
    ['access-keys', 'config', 'server', 'users'],
    'endpoint',
  ],
  'packages/object-store/src/http/s3': [
    '*.ts',
    ['buckets', 'multipart'],
    ['listing', 'objects'],
    'headers',
    'settings',
  ],
  'packages/object-store/src/iam': [['archive', 'ldap', 'openid'], '*.ts'],
  tests: [['attack', 'browser', 'fuzz', 'http', 'mutants'], 'cost', 'support'],
  'tests/support': ['browser', 'operator', 'data', 'console', ['network', 'processes', 'sign-in']],
  'sandbox/kube/src': [
    '*.ts',
    ['controllers', 'http'],
    'operations',
    ['admission', 'auth'],
    'kinds',
    ['schema', 'store', 'types'],
    'object',
  ],
}

/** Files whose imports are not checked, and why. */
export const EXCEPTIONS = {
  'packages/contract/src/call/area-examples.ts': 'types only: an example is the input of the call of its name',
}
