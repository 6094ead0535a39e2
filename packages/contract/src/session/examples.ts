import type { AreaExamples } from '../call/area-examples.ts'
import { sampleNames } from '../call/sample-names.ts'
import type { sessionEndpoints } from './endpoints.ts'

export const sessionExamples: AreaExamples<typeof sessionEndpoints> = {
  getLoginStrategy: {},
  login: { body: { accessKey: 'anna', secretKey: 'correct horse battery staple' } },
  loginOperator: { body: { jwt: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.c2lnbmF0dXJl' } },
  startSignIn: { params: { provider: 'main' } },
  loginOauth2: { body: { code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'af0ifjsldkj' } },
  logout: {},
  getSession: {},
  hasPermission: {
    body: { actions: [{ id: 'write', action: 's3:PutObject', bucket_name: sampleNames.bucket, prefix: 'italy/' }] },
  },
}
