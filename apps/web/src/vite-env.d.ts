/// <reference types="vite/client" />

declare module 'virtual:notices' {
  const notices: import('../../../scripts/notices.ts').Notices
  export default notices
}
