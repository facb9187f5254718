/** A refusal that the specification defines; the router formats it as the endpoint does. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    /** The parameter at fault, reported in the provider's error shape. */
    readonly parameter?: string,
  ) {
    super(message);
  }
}

export const badParameter = (message: string, parameter?: string) => new Refusal(400, 20015, message, parameter);
export const unknownModel = () => new Refusal(400, 20012, 'Model does not exist. Please check it carefully.', 'model');
export const noSuchObject = (what: string, id: string) => new Refusal(404, 20015, `No such ${what}: ${id}`, 'id');
export const noBalance = () => new Refusal(402, 30001, 'Sorry, your account balance is insufficient');

/** Returns the body of an error in the endpoint's shape. */
export function errorBody(
  shape: 'platform' | 'provider',
  { code, message, parameter }: { code: number | null; message: string; parameter?: string | undefined },
): unknown {
  if (shape === 'platform') return { code, message, data: null };
  const type = code === 20012 || code === 20015 ? 'invalid_request_error' : 'api_error';
  return { error: { message, type, param: parameter ?? null, code: code === null ? null : String(code) } };
}
