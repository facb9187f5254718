import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { generate } from 'selfsigned';

export interface Identity {
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
}

/** The certificate that a machine has to trust. */
export interface PrivateAuthority extends Identity {
  /** For host names and IP addresses. `expired` certificates were valid until yesterday, and `early` ones are from tomorrow. */
  issue(
    names: readonly string[],
    options?: { readonly expired?: boolean; readonly early?: boolean },
  ): Promise<Identity>;
}

const dayMs = 86_400_000;

const common = { keyType: 'ec', algorithm: 'sha256' } as const;

async function makeIdentity(): Promise<Identity> {
  const own = await generate([{ name: 'commonName', value: `Inference Desk test authority ${randomUUID()}` }], {
    ...common,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { key: own.private, certificate: own.cert };
}

/** Creates an unknown certificate authority, as in companies, or uses one that was created before. */
export async function createPrivateAuthority(made?: Identity): Promise<PrivateAuthority> {
  const { key, certificate } = made ?? (await makeIdentity());
  return {
    key,
    certificate,
    async issue(names, { expired = false, early = false } = {}) {
      const now = Date.now();
      const issued = await generate([{ name: 'commonName', value: names[0] ?? 'nobody' }], {
        ...common,
        ca: { key, cert: certificate },
        notBeforeDate: new Date(early ? now + dayMs : now - 10 * dayMs),
        notAfterDate: new Date(expired ? now - dayMs : now + 10 * dayMs),
        extensions: [
          { name: 'basicConstraints', cA: false },
          { name: 'extKeyUsage', serverAuth: true },
          {
            name: 'subjectAltName',
            altNames: names.map((name) => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name })),
          },
        ],
      });
      return { key: issued.private, certificate: issued.cert };
    },
  };
}
