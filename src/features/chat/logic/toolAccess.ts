import * as l10n from '@vscode/l10n';
import { isObject } from '../../../core/api/isObject';
import type { Conversation } from '../../../core/conversation/conversationFolder';
import { lastCalls, stoppedText, type ToolCall } from '../../../core/conversation/toolRounds';
import { namedTools, type ToolDefinition } from '../../../core/conversation/tools';
import type { ToolResult, Transcript, TranscriptAnswer, TranscriptBlock } from '../../../core/conversation/transcript';
import type { ToolCallView } from '../../../protocol/chatTools';
import type { AnswerProgress, CallViews } from './turnView';

/** A tool registered with the editor, under its own name. */
export interface EditorTool extends ToolDefinition {
  /** The display name. */
  readonly label: string;
  readonly group: {
    readonly id: string;
    readonly kind: 'desk' | 'mcp' | 'extension' | 'editor';
    readonly label: string;
  };
}

/** A tool's result as it is sent back to the model. */
export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
}

/** The tools registered with the editor. */
export interface EditorTools {
  /** Returns the currently registered tools. */
  list(): readonly EditorTool[];
  /** Never rejects: a failure becomes an error result. Ends soon after `signal` aborts. */
  run(name: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolOutcome>;
  /** False in Restricted Mode, where no tool runs. */
  readonly mayRun: boolean;
  /** The most consecutive requests that may send tool results without user input; 0 for no limit. */
  readonly maxRounds: number;
}

/** A tool that is offered in a conversation and available. */
export interface ReachableTool {
  readonly source: 'editor' | 'own';
  /** The tool's own name. */
  readonly name: string;
  readonly label: string;
}

/** Resolves the tool calls of a conversation to tools, and runs them. */
export class ToolAccess {
  constructor(private readonly tools: EditorTools) {}

  /** False in Restricted Mode, where no tool runs. */
  get mayRun(): boolean {
    return this.tools.mayRun;
  }

  /** Never rejects: a failure becomes an error result. Ends soon after `signal` aborts. */
  run(name: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolOutcome> {
    return this.tools.run(name, input, signal);
  }

  /** Returns the offered tools by their names in the request. */
  offered({ parameters: { tools: offered = [] } }: Transcript): ReadonlyMap<string, ReachableTool> {
    const editorTools = offered.some(({ source }) => source === 'editor') ? this.tools.list() : [];
    return new Map(
      namedTools(offered, editorTools).map(({ offered: { source, name }, definition }) => {
        const label = source === 'editor' ? editorTools.find((tool) => tool.name === name)?.label : undefined;
        return [definition.name, { source, name, label: label ?? name }];
      }),
    );
  }

  /** Returns the state of an answer's calls, by block index. While a message is streaming, its calls have no state yet. */
  views(transcript: Transcript, answer: TranscriptAnswer, progress: AnswerProgress | undefined): CallViews {
    const views = new Map<number, ToolCallView>();
    if (answer.blocks.every(({ type }) => type !== 'tool_use')) return views;
    const offered = this.offered(transcript);
    const last = transcript.turns().at(-1);
    const isComing = progress !== undefined && !progress.isAtTools;
    const open = new Set(isComing ? [] : lastCalls(answer).map(({ index }) => index));
    const isDecidable = last?.answers.some(({ id }) => id === answer.id) ?? false;
    const viewOf = (block: TranscriptBlock, index: number): Standing | undefined => {
      if (block.result) return resultView(block.result);
      if (progress?.runningCalls.has(index)) return { state: 'running' };
      if (isComing) return undefined;
      if (block.whole?.type === 'tool_use' && !isObject(block.whole.input)) {
        return { state: 'notRun', note: l10n.t("Not run, because the tool's input is incomplete.") };
      }
      if (!open.has(index) || !isDecidable) return { state: 'notRun' };
      return this.undecided(block, offered.get(block.name ?? ''));
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

  private undecided({ toolStartedAt }: TranscriptBlock, tool: ReachableTool | undefined): Standing {
    if (!tool)
      return { state: 'awaitingResult', note: l10n.t("This tool isn't available. Enter a result, or deny the call.") };
    if (tool.source === 'own') return { state: 'awaitingResult' };
    if (!this.mayRun) return { state: 'asking', note: l10n.t('Trust the workspace to use VS Code tools.') };
    if (toolStartedAt === undefined) return { state: 'asking', canAllow: true };
    const note = l10n.t('VS Code closed while this tool was running. To rerun it, allow the call.');
    return { state: 'asking', canAllow: true, note };
  }
}

type Standing = Omit<ToolCallView, 'label' | 'allowedAlways'>;

function resultView({ text, isError, by }: ToolResult): Standing {
  if (by === 'denied' || by === 'stopped') return { state: by, result: text };
  return { state: isError ? 'failed' : 'done', result: text, by };
}

/** A running answer that calls tools. */
export interface CallingAnswer {
  readonly task: { readonly conversation: Conversation; readonly answerId: string };
  /** Unix milliseconds. */
  now(): number;
  /** To be called when one of its calls started or ended. */
  onChange(): void;
}

/** Runs the allowed calls of one answer, all of them in parallel. */
export class ToolRunner {
  /** By the call's block index. */
  private readonly runs = new Map<number, Promise<void>>();
  /** Calls the user allowed this once. */
  private readonly once = new Set<number>();
  /** Makes `work` check again. */
  private wake: () => void = () => {};

  constructor(
    private readonly tools: ToolAccess,
    private readonly answering: CallingAnswer,
  ) {}

  /** The blocks of the running calls. */
  get running(): ReadonlySet<number> {
    return new Set(this.runs.keys());
  }

  allow(block: number): void {
    this.once.add(block);
    this.wake();
  }

  /** Runs the allowed calls, including those allowed in the meantime. Resolves to whether every call of the last message has its result. */
  async work(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      const calls = this.open();
      if (!signal.aborted) for (const call of calls) this.startIfAllowed(call, signal);
      if (this.runs.size === 0) return calls.length === 0 && !signal.aborted;
      const woken = new Promise<void>((resolve) => (this.wake = resolve));
      await Promise.race([...this.runs.values(), woken]);
    }
  }

  private open(): readonly ToolCall[] {
    const { conversation, answerId } = this.answering.task;
    const answer = conversation.transcript.answer(answerId);
    return answer ? lastCalls(answer).filter(({ block }) => !block.result) : [];
  }

  private startIfAllowed(call: ToolCall, signal: AbortSignal): void {
    const { index } = call;
    const { conversation } = this.answering.task;
    if (this.runs.has(index)) return;
    const { source, name } = this.tools.offered(conversation.transcript).get(call.name) ?? {};
    if (source !== 'editor' || name === undefined || !this.tools.mayRun) return;
    // A call interrupted by the editor closing may have completed, so it does not run again without asking.
    const isAlways = call.block.toolStartedAt === undefined && conversation.transcript.allowedTools.has(name);
    if (!isAlways && !this.once.has(index)) return;
    this.once.delete(index);
    const run = this.run(call, name, signal).finally(() => {
      this.runs.delete(index);
      this.answering.onChange();
    });
    this.runs.set(index, run);
    this.answering.onChange();
  }

  private async run({ index, input }: ToolCall, name: string, signal: AbortSignal): Promise<void> {
    const { conversation, answerId: answer } = this.answering.task;
    await conversation.record([{ kind: 'toolStart', answer, index, at: this.answering.now() }]);
    const { text, isError } = await this.tools.run(name, input, signal);
    if (signal.reason === abandoned) return;
    const result = signal.aborted
      ? { text: stoppedText, isError: true, by: 'stopped' as const }
      : { text, isError, by: 'tool' as const };
    await conversation.record([{ kind: 'toolResult', answer, index, at: this.answering.now(), ...result }]);
  }
}

/** Abort reason of a run that should look as if the editor closed. */
export const abandoned = new Error('The editor closes.');
