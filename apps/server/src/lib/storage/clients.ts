import { createMadmin, type Madmin } from '@stowage/madmin'
import { SigningKeys } from '@stowage/sigv4'
import type { SessionPayload } from '../session/payload.ts'
import type { Egress } from './egress.ts'
import { type S3Control, SdkClients } from './s3-sdk.ts'
import { S3Wire } from './s3-wire.ts'

/** What a handler speaks to the storage server with, all of it as the caller. */
export interface Clients {
  session: SessionPayload
  /** S3 for content and for MinIO's extensions: nothing is kept, everything streams. */
  s3: S3Wire
  /** S3 for settings, by the SDK, which loads at its first use. */
  control: () => Promise<S3Control>
  madmin: Madmin
}

/** Makes the clients of sessions; connections and signing keys are shared by all. */
export class ClientFactory {
  readonly #sdk: SdkClients
  readonly #keys = new SigningKeys()

  constructor(private readonly egress: Egress) {
    this.#sdk = new SdkClients(egress)
  }

  /** @param address the caller's */
  of(session: SessionPayload, address: string): Clients {
    const egress = this.egress.forCaller(address)
    const { accessKey, secretKey, sessionToken } = session
    return {
      session,
      s3: new S3Wire(egress, session, this.#keys),
      control: () => this.#sdk.of(session, egress.headers),
      madmin: createMadmin({
        endpoint: egress.origin,
        credentials: { accessKey, secretKey, sessionToken },
        dispatcher: egress.dispatcher,
        headers: egress.headers,
        keys: this.#keys,
      }),
    }
  }

  /** Loads what would otherwise delay the first call that needs it. */
  warmUp(): void {
    // A failure to load shows at that call.
    this.#sdk.load().catch(() => {})
  }

  close(): void {
    this.#sdk.close()
  }
}
