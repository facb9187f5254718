import type { MessageRequest } from '../api/messages/messages.schema';
import type { Capabilities } from '../capabilities/capabilities';
import { numbersAt } from '../parameters/parameterTable';
import type { NumberAt } from '../parameters/parameterTable';

/** The options of a caller that are sent, under their wire names. */
export type SentOptions = {
  -readonly [Name in NumberAt<'messages'> | 'stop_sequences' | 'thinking']?: NonNullable<MessageRequest[Name]>;
};

/**
 * Returns only options that the service knows and that have the right type: editors pass options of their own (`_telemetryTurn`),
 * and the service refuses a request with unknown ones. `stop` is accepted as another name for `stop_sequences`.
 */
export function readModelOptions(options: Readonly<Record<string, unknown>>, { thinking }: Capabilities): SentOptions {
  const sent: SentOptions = {};
  for (const name of numbersAt('messages')) {
    const value = options[name];
    if (typeof value === 'number' && Number.isFinite(value)) sent[name] = value;
  }
  if (sent.max_tokens !== undefined && !(Number.isSafeInteger(sent.max_tokens) && sent.max_tokens > 0))
    delete sent.max_tokens;
  const stops = [options['stop_sequences'] ?? options['stop'] ?? []].flat();
  const texts = stops.filter((stop) => typeof stop === 'string' && stop !== '') as string[];
  if (texts.length > 0) sent.stop_sequences = texts;
  const asked = thinking === 'asked' ? readThinking(options['thinking']) : undefined;
  if (asked) sent.thinking = asked;
  return sent;
}

function readThinking(value: unknown): SentOptions['thinking'] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, budget_tokens: budget } = value as Readonly<Record<string, unknown>>;
  if (type !== 'enabled' && type !== 'disabled') return undefined;
  return { type, ...(Number.isSafeInteger(budget) && { budget_tokens: Number(budget) }) };
}
