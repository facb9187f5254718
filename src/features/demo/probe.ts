import { get } from 'node:http';

/** Whether a demo service with this key answers at the address. Never rejects; takes two seconds at most. */
export function answersAt(baseUrl: string, apiKey: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(
      `${baseUrl}/models?sub_type=chat`,
      { headers: { authorization: `Bearer ${apiKey}` }, timeout: 2_000, agent: false },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
    request.on('close', () => resolve(false));
  });
}
