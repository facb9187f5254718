import type { MessageParam } from '../api/messages/messages.schema';
import type { ContentParam } from './compactedTranscript';
import type { TranscriptAnswer, TranscriptBlock } from './transcript';
import { isObject } from '../api/isObject';

/** A complete tool call: one with truncated input can neither be run nor sent back. */
export interface ToolCall {
  /** Index among the answer's blocks. */
  readonly index: number;
  readonly id: string;
  /** The tool's name on the wire. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly block: TranscriptBlock;
}

/** One message of the model that calls tools. */
interface Round {
  readonly blocks: readonly TranscriptBlock[];
  readonly calls: readonly ToolCall[];
}

/** An answer split into the messages in which it was received. */
interface Rounds {
  readonly rounds: readonly Round[];
  /** The blocks after the last round. */
  readonly rest: readonly TranscriptBlock[];
  /** Whether no request has followed the last round yet. */
  readonly isOpen: boolean;
}

/** Stop reasons after which there may be more to come. */
export const cutShort: ReadonlySet<string | undefined> = new Set([
  'max_tokens',
  'length',
  'model_context_window_exceeded',
  'pause_turn',
]);

function roundsOf(answer: TranscriptAnswer): Rounds {
  const { blocks, goesOnAt = [] } = answer;
  const rounds: Round[] = [];
  let from = 0;
  /** The blocks before it are searched for calls. */
  let searched = 0;
  let calls: ToolCall[] = [];
  const close = (end: number): boolean => {
    calls = [...calls, ...callsIn(answer, searched, end)];
    searched = Math.max(searched, end);
    if (calls.length === 0) return false;
    rounds.push({ blocks: blocks.slice(from, end), calls });
    calls = [];
    from = end;
    return true;
  };
  for (const end of goesOnAt) close(end);
  const isOpen = close(blocks.length);
  return { rounds, rest: blocks.slice(from), isOpen };
}

function callsIn({ blocks, end: ending }: TranscriptAnswer, from: number, end: number): readonly ToolCall[] {
  return blocks.slice(from, end).flatMap((block, offset) => {
    const { whole } = block;
    const index = from + offset;
    if (whole?.type !== 'tool_use' || !isObject(whole.input)) return [];
    // The limit was reached before the first piece of its input, which then reads like that of a tool without any.
    const isCutOff = index === blocks.length - 1 && !block.result && cutShort.has(ending?.stopReason);
    if (isCutOff && Object.keys(whole.input).length === 0) return [];
    // Some services omit the id, but calls and results must agree on one.
    return [{ index, id: whole.id || `call_${index}`, name: whole.name, input: whole.input, block }];
  });
}

/** Returns the calls of the answer's last message, if it called tools and nothing was sent back yet. */
export function lastCalls(answer: TranscriptAnswer): readonly ToolCall[] {
  const { rounds, isOpen } = roundsOf(answer);
  return isOpen ? rounds.at(-1)!.calls : [];
}

/** Returns the blocks since the last tool results: all blocks of an answer without calls. Empty if the next request sends results. */
export function restOf(answer: TranscriptAnswer): readonly TranscriptBlock[] {
  return roundsOf(answer).rest;
}

/** Whether the answer called any tools. */
export function hasCalls(answer: TranscriptAnswer): boolean {
  return roundsOf(answer).rounds.length > 0;
}

/**
 * Returns calls and results as messages: of all rounds, or of those in which every call has its result. A call without a result gets
 * one that says so, because the service requires one for each call. Thinking, and what came with calls, is for the model and service that
 * produced it, because no other can verify its signature.
 */
export function roundMessages(
  answer: TranscriptAnswer,
  which: 'all' | 'answered',
  withThinking: boolean,
): readonly MessageParam[] {
  return roundsOf(answer)
    .rounds.filter(({ calls }) => which === 'all' || calls.every(({ block }) => block.result))
    .flatMap(({ blocks, calls }) => {
      const byBlock = new Map(calls.map((call) => [call.block, call]));
      return [
        { role: 'assistant', content: blocks.flatMap((block) => toParam(block, byBlock, withThinking)) },
        { role: 'user', content: calls.map(toResult) },
      ];
    });
}

/** The kinds of blocks that a service runs itself, and requires back with the calls of the same message. */
export const ofService = /^(?:redacted_thinking|server_tool_use|mcp_tool_use|\w+_tool_result)$/;

function toParam(
  block: TranscriptBlock,
  calls: ReadonlyMap<TranscriptBlock, ToolCall>,
  withThinking: boolean,
): readonly ContentParam[] {
  const { whole } = block;
  if (block.type === 'text') return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }];
  if (block.type === 'thinking') {
    if (!withThinking) return [];
    if (whole?.type !== 'thinking') return [{ type: 'thinking', thinking: block.text }];
    return whole.isFromText ? [] : [whole];
  }
  if (whole?.type === 'unknown') {
    return withThinking && ofService.test(String(whole.raw['type'])) ? [{ type: 'unknown', raw: whole.raw }] : [];
  }
  const call = calls.get(block);
  if (!call) return [];
  const state = withThinking && whole?.type === 'tool_use' && whole.state ? { state: whole.state } : {};
  return [{ type: 'tool_use', id: call.id, name: call.name, input: call.input, ...state }];
}

function toResult({ id, block: { result, toolStartedAt } }: ToolCall): ContentParam {
  const { text, isError } = result ?? { text: toolStartedAt === undefined ? notAnswered : cutOff, isError: true };
  return { type: 'tool_result', tool_use_id: id, content: text, ...(isError ? { is_error: true } : {}) };
}

/** Always in English, like everything that only models read. */
const notAnswered = 'This call was skipped because the conversation continued without it.';
const cutOff = 'VS Code closed while this tool was running. The tool may or may not have finished.';

/** Returns the message for the model about a call that the user denied. */
export function deniedText(words: string): string {
  const denied = 'The user denied this call.';
  return words.trim() === '' ? denied : `${denied} The user says: ${words.trim()}`;
}

/** The model's message about a call that was stopped while it ran. */
export const stoppedText = 'The user stopped this tool. Part of its work may be complete.';
