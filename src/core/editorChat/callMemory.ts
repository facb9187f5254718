import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import '../../schema/jitless';
import * as z from 'zod/mini';
import { isObject } from '../api/isObject';
import type { CallState, ContentBlock } from '../api/messages/messageEvents';
import type { MessageParam } from '../api/messages/messages.schema';
import { toBlocks } from '../conversation/compactedTranscript';
import type { ContentParam } from '../conversation/compactedTranscript';
import { ofService } from '../conversation/toolRounds';
import { makeFolder } from '../storage/privateFiles';
import { createJsonFile } from '../storage/storedFile';

/** The account, its base URL, and the model of an answer: no other can verify its signatures, or should get its reasoning. */
interface Answerer {
  readonly account: string;
  readonly baseUrl: string;
  readonly model: string;
}

/**
 * Remembers what services want back with the calls of an answer: signatures, thinking, and properties that are unknown here. The editor
 * passes back only the calls themselves, also after it was restarted.
 */
export interface CallMemory {
  /** Stores what came with the calls of an answer, whose IDs and tool names are those that the editor was given. Never rejects. */
  note(of: Answerer, content: readonly ContentBlock[]): Promise<void>;
  /** Returns the messages with what came with their calls, as far as it is still stored. Never rejects. */
  complete(of: Answerer, messages: readonly MessageParam[]): Promise<readonly MessageParam[]>;
}

const members = z.record(z.string(), z.unknown());

const storedAnswer = z.object({
  calls: z.array(
    z.object({
      id: z.string(),
      state: z.optional(
        z.object({
          call: z.optional(members),
          message: z.optional(members),
          reasoning: z.optional(z.enum(['reasoning_content', 'reasoning'])),
          block: z.optional(members),
        }),
      ),
      /** The blocks between the call before, or the start, and this one, except text. */
      before: z.array(
        z.union([
          z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.optional(z.string()) }),
          z.object({ type: z.literal('unknown'), raw: members }),
        ]),
      ),
    }),
  ),
});

type StoredAnswer = z.infer<typeof storedAnswer>;
type StoredCall = StoredAnswer['calls'][number];
type Call = Extract<ContentParam, { readonly type: 'tool_use' }>;

/** A conversation of an agent has some hundred. */
const mostAnswers = 2000;
const mostBytes = 64_000_000;
/** Larger ones are not stored: their calls are sent back alone. */
const mostCharacters = 1_000_000;
/** How many are written until the oldest are looked for. */
const writesPerSweep = 50;

/** `onError` is called if something can't be written, which costs no more than what would have been sent back. */
export function createCallMemory(folder: string, onError: (error: unknown) => void): CallMemory {
  const recent = new Map<string, StoredAnswer>();
  let writes = 0;
  const remember = (key: string, answer: StoredAnswer) => {
    recent.delete(key);
    recent.set(key, answer);
    for (const oldest of recent.keys()) {
      if (recent.size <= mostAnswers / 10) break;
      recent.delete(oldest);
    }
  };
  const fileOf = (key: string) =>
    createJsonFile(join(folder, `${key}.json`), (raw) => storedAnswer.safeParse(raw).data);
  const read = async (key: string): Promise<StoredAnswer | undefined> => {
    const known = recent.get(key) ?? (await fileOf(key).read());
    if (known) remember(key, known);
    return known;
  };

  return {
    async note(of, content) {
      const answer = answerOf(content);
      const first = content.find((block) => block.type === 'tool_use');
      if (!answer || !first || JSON.stringify(answer).length > mostCharacters) return;
      const key = keyOf(of, first);
      remember(key, answer);
      try {
        await makeFolder(folder);
        await fileOf(key).write(answer);
        if (writes++ % writesPerSweep === 0) await removeOldest(folder);
      } catch (error) {
        onError(error);
      }
    },
    complete: (of, messages) =>
      Promise.all(
        messages.map(async (message) => {
          const first = message.role === 'assistant' ? callsIn(message)[0] : undefined;
          const stored = first && (await read(keyOf(of, first)).catch(() => undefined));
          return stored ? withStored(message, stored) : message;
        }),
      ),
  };
}

function callsIn({ content }: MessageParam): readonly Call[] {
  return toBlocks(content).filter((block) => block.type === 'tool_use');
}

/** VS Code adds this to an ID that it has already. */
const editorSuffix = /__vscode-.*$/;

/** Services count their calls, so an ID alone may stand for several. */
function keyOf(
  { account, baseUrl, model }: Answerer,
  { id, name, input }: { readonly id: string; readonly name: string; readonly input: unknown },
): string {
  const parts = [account, baseUrl, model, id.replace(editorSuffix, ''), name, inOrder(input)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}

/** Returns a value whose properties are in the order of their names. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, one]) => [name, inOrder(one)]),
  );
}

/** Returns `undefined` if nothing came with the calls. */
function answerOf(content: readonly ContentBlock[]): StoredAnswer | undefined {
  const calls: StoredCall[] = [];
  let before: StoredCall['before'] = [];
  for (const block of content) {
    if (block.type === 'thinking' && !block.isFromText) {
      const { thinking, signature } = block;
      before = [...before, { type: 'thinking', thinking, ...(signature !== undefined && { signature }) }];
    } else if (block.type === 'unknown' && ofService.test(String(block.raw['type']))) {
      before = [...before, { type: 'unknown', raw: { ...block.raw } }];
    } else if (block.type === 'tool_use') {
      calls.push({ id: block.id, before, ...(block.state && { state: copyOf(block.state) }) });
      before = [];
    }
  }
  return calls.some((call) => call.state || call.before.length > 0) ? { calls } : undefined;
}

function copyOf(state: CallState): NonNullable<StoredCall['state']> {
  return structuredClone(state) as NonNullable<StoredCall['state']>;
}

/** Puts what came before the first call before all text, because services require thinking there. */
function withStored(message: MessageParam, { calls }: StoredAnswer): MessageParam {
  const stored = new Map(calls.map((call) => [call.id, call]));
  const known = ({ id }: Call) => stored.get(id) ?? stored.get(id.replace(editorSuffix, ''));
  const blocks = toBlocks(message.content).filter(({ type }) => type !== 'thinking' && type !== 'unknown');
  const first = blocks.findIndex(({ type }) => type === 'tool_use');
  const start = known(blocks[first] as Call)?.before ?? [];
  return {
    role: message.role,
    content: [
      ...start,
      ...blocks.flatMap((block, at): readonly ContentParam[] => {
        const call = block.type === 'tool_use' ? known(block) : undefined;
        if (!call) return [block];
        return [...(at === first ? [] : call.before), call.state ? ({ ...block, state: call.state } as Call) : block];
      }),
    ],
  };
}

async function removeOldest(folder: string): Promise<void> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      const { mtimeMs, size } = await stat(path).catch(() => ({ mtimeMs: 0, size: 0 }));
      return { path, mtimeMs, size };
    }),
  );
  let bytes = 0;
  const newestFirst = files.toSorted((left, right) => right.mtimeMs - left.mtimeMs);
  for (const [at, { path, size }] of newestFirst.entries()) {
    bytes += size;
    if (at >= mostAnswers || bytes > mostBytes) await rm(path, { force: true });
  }
}
