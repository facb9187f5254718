/** Returns a line of a batch file with one question, and `body` merged into its body. */
export function requestLine(id: string, content = 'Hello', body: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'm', messages: [{ role: 'user', content }], ...body },
  });
}
