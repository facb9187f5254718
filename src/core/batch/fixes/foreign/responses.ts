// https://platform.openai.com/docs/api-reference/responses/create
import { isObject, isObjects } from './exactJson';
import type { JsonObject } from './exactJson';

/** Members that refer to something the service does not have. */
const unsayable = ['previous_response_id', 'conversation', 'prompt', 'background'];

/** Returns a chat completion body, or `undefined` if it cannot express something in `body`. Unknown members are copied. */
export function fromResponses(body: JsonObject): JsonObject | undefined {
  const { model, input, instructions, max_output_tokens, tools, tool_choice, text, ...others } = body;
  if (unsayable.some((name) => (others[name] ?? false) !== false)) return undefined;
  if (instructions !== undefined && instructions !== null && typeof instructions !== 'string') return undefined;
  const asked = toMessages(input);
  const called = tools === undefined ? [] : toTools(tools);
  const format = toFormat(text);
  if (!asked || !called || !format) return undefined;
  const system = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : [];
  return {
    ...(model === undefined ? {} : { model }),
    messages: [...system, ...asked],
    ...(max_output_tokens === undefined ? {} : { max_tokens: max_output_tokens }),
    ...format,
    ...(called.length > 0 ? { tools: called } : {}),
    ...(tool_choice === undefined ? {} : { tool_choice: toChoice(tool_choice) }),
    ...others,
  };
}

function toMessages(input: unknown): readonly JsonObject[] | undefined {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (!isObjects(input)) return undefined;
  const messages = input.map(toMessage);
  return messages.every((message) => message !== undefined) ? messages : undefined;
}

function toMessage(item: JsonObject): JsonObject | undefined {
  const { type = 'message', role, content, call_id, name, arguments: given, output } = item;
  if (type === 'message') {
    const said = toContent(content);
    return typeof role === 'string' && said !== undefined
      ? { role: role === 'developer' ? 'system' : role, content: said }
      : undefined;
  }
  if (type === 'function_call' && typeof call_id === 'string') {
    const call = { id: call_id, type: 'function', function: { name, arguments: given } };
    return { role: 'assistant', content: '', tool_calls: [call] };
  }
  if (type === 'function_call_output' && typeof output === 'string') {
    return { role: 'tool', tool_call_id: call_id, content: output };
  }
  return undefined;
}

function toContent(content: unknown): string | readonly JsonObject[] | undefined {
  if (typeof content === 'string') return content;
  if (!isObjects(content)) return undefined;
  const parts = content.map(toPart);
  if (!parts.every((part) => part !== undefined)) return undefined;
  const [only] = parts;
  return parts.length === 1 && typeof only?.text === 'string' ? only.text : parts;
}

function toPart({ type, text, image_url, detail }: JsonObject): JsonObject | undefined {
  if (type === 'input_text' || type === 'output_text') return { type: 'text', text };
  if (type !== 'input_image' || typeof image_url !== 'string') return undefined;
  return { type: 'image_url', image_url: { url: image_url, ...(detail === undefined ? {} : { detail }) } };
}

function toTools(tools: unknown): readonly JsonObject[] | undefined {
  if (!isObjects(tools) || !tools.every(({ type }) => type === 'function')) return undefined;
  return tools.map(({ type, ...definition }) => ({ type, function: definition }));
}

function toChoice(choice: unknown): unknown {
  return isObject(choice) && choice.type === 'function'
    ? { type: 'function', function: { name: choice.name } }
    : choice;
}

function toFormat(text: unknown): JsonObject | undefined {
  if (text === undefined || text === null) return {};
  if (!isObject(text)) return undefined;
  const { format, ...others } = text;
  if (!isObject(format)) return format === undefined ? others : undefined;
  const { type, ...schema } = format;
  return { response_format: type === 'json_schema' ? { type, json_schema: schema } : format, ...others };
}
