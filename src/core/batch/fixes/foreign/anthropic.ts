// https://docs.anthropic.com/en/api/creating-message-batches
import { messageRequest } from '../../../api/messages/messages.schema';
import type { MessageRequest } from '../../../api/messages/messages.schema';
import { toChatBody } from '../../../conversation/export/batchLine';
import { isObject, isObjects } from './exactJson';
import type { JsonObject } from './exactJson';

const mapped: readonly string[] = Object.keys(messageRequest.shape);

/** Whether a body has members that only this format has. */
export function looksAnthropic({ system, stop_sequences, tools, messages }: JsonObject): boolean {
  if (system !== undefined || stop_sequences !== undefined) return true;
  if (isObjects(tools) && tools.some(({ input_schema }) => input_schema !== undefined)) return true;
  return isObjects(messages) && messages.some(({ content }) => isObjects(content) && content.some(isOwnBlock));
}

function isOwnBlock({ type }: JsonObject): boolean {
  return type === 'image' || type === 'tool_use' || type === 'tool_result' || type === 'thinking';
}

/**
 * Returns a chat completion body, or `undefined` if it cannot express something in `body`. Unknown members are copied as they are.
 * `body` has exact numbers, `plain` ordinary ones.
 */
export function fromAnthropic(body: JsonObject, plain: JsonObject): JsonObject | undefined {
  const known = Object.entries(plain).filter(([name]) => mapped.includes(name));
  const { success } = messageRequest.safeParse({ model: '', ...Object.fromEntries(known) });
  if (!success || !isSayable(plain)) return undefined;
  const { model, ...rest } = toChatBody(body as MessageRequest);
  const others = Object.entries(body).filter(([name]) => !mapped.includes(name));
  return { ...(model === undefined ? {} : { model }), ...rest, ...Object.fromEntries(others) };
}

/** A chat completion cannot hold images in a tool result. */
function isSayable({ messages }: JsonObject): boolean {
  if (!isObjects(messages)) return false;
  const blocks = messages.flatMap(({ content }) => (isObjects(content) ? content : []));
  return !blocks.some(
    ({ content }) => isObjects(content) && content.some((part) => isObject(part) && part.type === 'image'),
  );
}

/** The members that a chat completion can hold, by type of block. */
const keptMembers: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['source'],
  // A thought's signature means nothing to another model.
  thinking: ['thinking', 'signature'],
  tool_use: ['id', 'name', 'input'],
  tool_result: ['tool_use_id', 'content'],
};

/** Returns the names of the members that conversion loses, each once, so that a person can decide. */
export function leftOutOf({ messages, system, tools, tool_choice }: JsonObject): readonly string[] {
  const found = new Set<string>();
  const look = (value: unknown, kept: readonly string[]) => {
    if (!isObject(value)) return;
    for (const [name, said] of Object.entries(value)) {
      const saysNothing = said === undefined || said === null || said === false;
      if (name !== 'type' && !kept.includes(name) && !saysNothing) found.add(name);
    }
  };
  const lookAtBlocks = (content: unknown) => {
    for (const block of isObjects(content) ? content : []) look(block, keptMembers[String(block.type)] ?? []);
  };
  for (const message of isObjects(messages) ? messages : []) {
    const { content } = message;
    look(message, ['role', 'content']);
    lookAtBlocks(content);
    for (const { content: within } of isObjects(content) ? content : []) lookAtBlocks(within);
    if (isObjects(content) && losesThoughts(content)) found.add('thinking');
  }
  lookAtBlocks(system);
  for (const tool of isObjects(tools) ? tools : []) look(tool, ['name', 'description', 'input_schema']);
  look(tool_choice, ['name']);
  return [...found];
}

/** Thinking is only converted together with a tool call. */
function losesThoughts(blocks: readonly JsonObject[]): boolean {
  return blocks.some(({ type }) => type === 'thinking') && !blocks.some(({ type }) => type === 'tool_use');
}
