import { lastCalls } from '../../../core/conversation/toolRounds';
import type { ToolResult, Transcript, TranscriptAnswer, TranscriptBlock } from '../../../core/conversation/transcript';
import type { ToolCallView } from '../../../protocol/chatTools';
import type { CallViews, RunningAnswer } from '../toTurn';
import type { ReachableTool, ToolAccess } from './toolAccess';

/** Returns the state of the tool calls in an answer of this conversation. */
export type TranscriptCallViews = (
  transcript: CallViewsOptions['transcript'],
  answer: TranscriptAnswer,
  running: RunningAnswer | undefined,
) => CallViews;

/** Localized texts about tool calls. */
export interface CallWords {
  /** No tool of the editor runs in Restricted Mode. */
  readonly restricted: () => string;
  /** The tool is no longer offered, or no longer exists. */
  readonly noSuchTool: () => string;
  /** The editor closed while the tool was running. */
  readonly cutOff: () => string;
  /** The call has been decided in the meantime, or is not a call. */
  readonly callGone: () => Error;
}

interface CallViewsOptions {
  readonly transcript: Transcript;
  readonly answer: TranscriptAnswer;
  readonly running: RunningAnswer | undefined;
  readonly access: ToolAccess;
  readonly words: CallWords;
}

/** Returns the state of an answer's calls, by block index. While a message is streaming, its calls have no state yet. */
export function callViews({ transcript, answer, running, access, words }: CallViewsOptions): CallViews {
  const views = new Map<number, ToolCallView>();
  if (answer.blocks.every(({ type }) => type !== 'tool_use')) return views;
  const offered = access.offered(transcript);
  const last = transcript.turns().at(-1);
  const isComing = running !== undefined && !running.isAtTools;
  const open = new Set(isComing ? [] : lastCalls(answer).map(({ index }) => index));
  const isDecidable = last?.answers.some(({ id }) => id === answer.id) ?? false;
  const viewOf = (block: TranscriptBlock, index: number): Standing | undefined => {
    if (block.result) return resultView(block.result);
    if (running?.runningCalls.has(index)) return { state: 'running' };
    if (isComing) return undefined;
    if (!open.has(index) || !isDecidable) return { state: 'notRun' };
    return undecided(block, offered.get(block.name ?? ''), access.mayRun, words);
  };
  answer.blocks.forEach((block, index) => {
    if (block.type !== 'tool_use') return;
    const standing = viewOf(block, index);
    if (!standing) return;
    const { name = '' } = block;
    const tool = offered.get(name);
    const isAlways = tool?.source === 'editor' && transcript.allowedTools.has(tool.name);
    const always = isAlways ? { allowedAlways: true as const } : {};
    views.set(index, { label: tool?.label ?? name, ...always, ...standing });
  });
  return views;
}

type Standing = Omit<ToolCallView, 'label' | 'allowedAlways'>;

function undecided(
  { toolStartedAt }: TranscriptBlock,
  tool: ReachableTool | undefined,
  mayRun: boolean,
  words: CallWords,
): Standing {
  if (!tool) return { state: 'awaitingResult', note: words.noSuchTool() };
  if (tool.source === 'own') return { state: 'awaitingResult' };
  if (!mayRun) return { state: 'asking', note: words.restricted() };
  return { state: 'asking', canAllow: true, ...(toolStartedAt === undefined ? {} : { note: words.cutOff() }) };
}

function resultView({ text, isError, by }: ToolResult): Standing {
  if (by === 'denied' || by === 'stopped') return { state: by, result: text };
  return { state: isError ? 'failed' : 'done', result: text, by };
}
