/** A line of a batch file: one question, with `body` over what it is asked with. */
export function requestLine(id: string, content = 'Hello', body: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'm', messages: [{ role: 'user', content }], ...body },
  });
}
