import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { ContentBlock, Message, MessageEvent } from '../../core/api/messages/messageEvents';
import { cutCall } from '../../core/editorChat/answerEnd';
import type { AnswerEnd } from '../../core/editorChat/answerEnd';
import type { CallUsage } from '../../core/usage/usageOf';
import { UserError } from '../../platform/errors/userError';
import { languageModelError } from './answerErrors';
import { thinkingPartClass } from './editorMessages';
import type { WholeThinking } from './editorMessages';

type Part = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart | vscode.LanguageModelDataPart;

/**
 * Passes an answer on to the editor as it arrives; holds back tool calls, and what follows them, until it is certain that none was cut off.
 */
export class AnswerParts {
  private readonly answer = randomUUID();
  private readonly held: Part[] = [];
  private begun = false;

  /** `ownName` returns a tool's original name for its name on the wire. */
  constructor(
    private readonly model: string,
    private readonly report: (part: Part) => void,
    private readonly ownName: (wireName: string) => string,
  ) {}

  /** Whether anything was passed on. */
  get hasBegun(): boolean {
    return this.begun;
  }

  /** Throws `LanguageModelError` if a tool call was cut off. */
  add(event: MessageEvent): void {
    const Thinking = thinkingPartClass();
    if (event.type === 'text') this.tell(new vscode.LanguageModelTextPart(event.text));
    else if (event.type === 'thinking' && Thinking) this.tell(new Thinking(event.text, this.idOf(event.index)));
    else if (event.type === 'blockStop') this.tellBlock(event.block, event.index);
    else if (event.type === 'end') this.tellHeld(event.message);
  }

  private idOf(index: number): string {
    return `${this.answer}_${index}`;
  }

  private tell(part: Part): void {
    if (this.held.length > 0 || part instanceof vscode.LanguageModelToolCallPart) this.held.push(part);
    else {
      this.begun = true;
      this.report(part);
    }
  }

  private tellBlock(block: ContentBlock, index: number): void {
    const Thinking = thinkingPartClass();
    if (block.type === 'tool_use') {
      const { id, name, input } = block;
      const callId = id === '' ? `call_${this.idOf(index)}` : id;
      this.tell(new vscode.LanguageModelToolCallPart(callId, this.ownName(name), input as object));
    }
    if (block.type === 'thinking' && block.signature !== undefined && Thinking) {
      const { thinking, signature } = block;
      const whole: WholeThinking = { signature, _completeThinking: thinking, inferenceDeskModel: this.model };
      this.tell(new Thinking('', this.idOf(index), { ...whole }));
    }
  }

  private tellHeld(message: Message): void {
    const cut = cutCall(message);
    if (cut) throw cutOffWithin(this.ownName(cut.name));
    for (const part of this.held.splice(0)) {
      this.begun = true;
      this.report(part);
    }
  }
}

/** Returns the error for an answer that ended without text or a tool call. */
export function unanswered(end: Exclude<AnswerEnd, 'answered'>): vscode.LanguageModelError {
  switch (end) {
    case 'refused':
      return languageModelError('Blocked', {
        title: vscode.l10n.t('The model refused to answer'),
        detail: vscode.l10n.t('Ask in other words, or choose another model.'),
      });
    case 'cutOff':
      return languageModelError('Unknown', {
        title: vscode.l10n.t('The answer was cut off before its first word'),
        detail: tooLongWords(),
      });
    case 'thoughtOnly':
      return languageModelError('Unknown', {
        title: vscode.l10n.t('The model thought about it, but gave no answer'),
        detail: vscode.l10n.t('Ask again, or choose another model.'),
      });
    case 'empty':
      return languageModelError('Unknown', {
        title: vscode.l10n.t('The answer was empty'),
        detail: vscode.l10n.t('The service ended it without a word, as it does when it is overloaded. Ask again.'),
      });
  }
}

function cutOffWithin(tool: string): UserError {
  return new UserError(vscode.l10n.t('The answer was cut off within a call of {0}', tool), tooLongWords());
}

function tooLongWords(): string {
  return vscode.l10n.t(
    'The model reached the most tokens of an answer. Ask for less at once, or raise outputTokens of the model in the setting inferenceDesk.models.capabilities.',
  );
}

/** The editor's built-in chat, the only one that reads usage. */
const readsUsage = /^github\.copilot(-chat)?$/i;

/** Returns the usage of an answer in the format of the editor's own Chat, if that is the caller. */
export function usagePart(
  asker: unknown,
  { inputTokens, outputTokens }: CallUsage,
  { usage }: Message,
): vscode.LanguageModelDataPart | undefined {
  if (typeof asker !== 'string' || !readsUsage.test(asker)) return undefined;
  return vscode.LanguageModelDataPart.json(
    {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      prompt_tokens_details: { cached_tokens: usage.cache_read_input_tokens ?? 0 },
    },
    'usage',
  );
}
