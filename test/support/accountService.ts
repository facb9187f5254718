import { startOrigin } from './originServer';

export interface AccountService {
  /** The URL of a demo service, because only its account is requested on this machine. */
  readonly baseUrl: string;
  readonly origin: string;
  /** `METHOD path` and the Authorization header of each request, in order. */
  readonly seen: readonly { readonly request: string; readonly authorization: string | undefined }[];
  /** Sets the response to `GET /user/info`. */
  answer(status: number, body: unknown): void;
  close(): Promise<void>;
}

/** Starts a real HTTP server with two endpoints: models for the right key, and the account that the test sets. */
export async function startAccountService(apiKey: string): Promise<AccountService> {
  const seen: { readonly request: string; readonly authorization: string | undefined }[] = [];
  let account: { readonly status: number; readonly body: unknown } = { status: 410, body: '' };
  const server = await startOrigin((request, response) => {
    const pathname = new URL(request.url ?? '/', 'http://here').pathname.replace(/^\/demo(?=\/v1\/)/, '');
    seen.push({ request: `${request.method} ${pathname}`, authorization: request.headers.authorization });
    const end = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    if (!pathname.startsWith('/v1/')) end(404, '404 page not found');
    else if (request.headers.authorization !== `Bearer ${apiKey}`) end(401, 'Api key is invalid');
    else if (pathname === '/v1/models')
      end(200, { object: 'list', data: [{ id: 'vendor/one' }, { id: 'vendor/two' }] });
    else if (pathname === '/v1/user/info') end(account.status, account.body);
    else end(404, '404 page not found');
  });
  return {
    baseUrl: new URL('demo/v1', server.url).href,
    origin: server.url.origin,
    seen,
    answer: (status, body) => {
      account = { status, body };
    },
    close: () => server.close(),
  };
}
