import type { Client } from '../../core/api/client';
import type { Profile } from '../../core/profiles/profile';
import type { CallUse } from '../../core/usage/meteredClient';
import type { Connections } from './account';

/**
 * The account used at some moment, as one value. Work that must not mix accounts reads it once: it stays the same when the user switches to
 * another account. For the same account, it is the same object.
 */
export class CurrentAccount {
  constructor(
    /** `undefined` if there is no account. */
    readonly profile: Profile | undefined,
    private readonly connections: Connections,
  ) {}

  /** Empty if there is no account. */
  get id(): string {
    return this.profile?.id ?? '';
  }

  /** The user's name for it. Empty if there is no account. */
  get name(): string {
    return this.profile?.name ?? '';
  }

  /** The URL of its service. Its rules are `rulesOf` this, separate because they are too large to load at the start. */
  get baseUrl(): string | undefined {
    return this.profile?.baseUrl;
  }

  /** Its metered client; see `Connections.client`. Rejects if there is no account, or it has no key. */
  client(use?: CallUse): Promise<Client> {
    return this.connections.client(this.id, use);
  }

  /** Whether its service is known, or was found within the last day, not to have one of these endpoints, such as `GET /batches`. */
  lacks(...endpoints: readonly string[]): boolean {
    return this.profile !== undefined && this.connections.lacks(this.profile, endpoints);
  }
}
