export function requestLine(customId: string, content = `Question of ${customId}`): string {
  const body = { model: 'm', messages: [{ role: 'user', content }] };
  return JSON.stringify({ custom_id: customId, method: 'POST', url: '/v1/chat/completions', body });
}

export function answerLine(customId: string, content: string, tokens = 1): string {
  const usage = { prompt_tokens: 1, completion_tokens: tokens, total_tokens: 1 + tokens };
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
  const response = { request_id: 'r', body: { model: 'm', choices, usage } };
  return JSON.stringify({ id: `batch_req_${customId}`, custom_id: customId, response, error: null });
}

export function errorLine(customId: string, message: string, code = 'code'): string {
  return JSON.stringify({ id: `batch_req_${customId}`, custom_id: customId, response: null, error: { code, message } });
}
