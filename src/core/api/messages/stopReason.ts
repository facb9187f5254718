/** What services say instead of the words of messages, in lower case. Google puts the general reason before a particular one. */
const reasons: Readonly<Record<string, string | undefined>> = {
  stop: 'end_turn',
  end_turn: 'end_turn',
  eos: 'end_turn',
  eos_token: 'end_turn',
  eos_token_found: 'end_turn',
  stop_token: 'end_turn',
  end_of_text: 'end_turn',
  end_of_sequence: 'end_turn',
  complete: 'end_turn',
  completed: 'end_turn',
  finished: 'end_turn',
  length: 'max_tokens',
  model_length: 'max_tokens',
  max_tokens: 'max_tokens',
  max_output_tokens: 'max_tokens',
  max_length: 'max_tokens',
  max_new_tokens: 'max_tokens',
  max_completion_tokens: 'max_tokens',
  max_tokens_reached: 'max_tokens',
  output_length: 'max_tokens',
  token_limit: 'max_tokens',
  token_limit_reached: 'max_tokens',
  context_length_exceeded: 'max_tokens',
  model_context_window_exceeded: 'max_tokens',
  tool_calls: 'tool_use',
  tool_call: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
  content_filtered: 'refusal',
  guardrail_intervened: 'refusal',
  content_moderation: 'refusal',
  moderation: 'refusal',
  sensitive: 'refusal',
  safety: 'refusal',
  image_safety: 'refusal',
  recitation: 'refusal',
  language: 'refusal',
  blocklist: 'refusal',
  spii: 'refusal',
  prohibited_content: 'refusal',
  error_toxic: 'refusal',
  function_call_filter: 'malformed_function_call',
};

/** Returns the reason why an answer ended in the words of messages; one that has no such word stays, and no reason is `undefined`. */
export function toStopReason(reason: string | undefined): string | undefined {
  const general = (reason ?? '').split(':')[0]!.trim().toLowerCase().replaceAll('-', '_');
  if (general === '' || general === 'null' || general === 'finish_reason_unspecified') return undefined;
  return reasons[general] ?? reason;
}
