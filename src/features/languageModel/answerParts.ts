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
type Report = (part: Part) => void;

export interface AnswerPartsOptions {
  readonly model: string;
  readonly report: Report;
  /** Returns a tool's original name for its name on the wire. */
  readonly ownName: (wireName: string) => string;
}

/**
 * Passes an answer on to the editor as it arrives; holds back tool calls, and what follows them, until it is certain that none was cut off.
 */
export interface AnswerParts {
  /** Whether anything was passed on. */
  readonly hasBegun: boolean;
  /** Throws `LanguageModelError` if a tool call was cut off. */
  add(event: MessageEvent): void;
}

export function createAnswerParts({ model, report, ownName }: AnswerPartsOptions): AnswerParts {
  const Thinking = thinkingPartClass();
  const answer = randomUUID();
  const held: Part[] = [];
  let hasBegun = false;
  const tell: Report = (part) => {
    if (held.length > 0 || part instanceof vscode.LanguageModelToolCallPart) held.push(part);
    else {
      hasBegun = true;
      report(part);
    }
  };
  const tellBlock = (block: ContentBlock, index: number) => {
    if (block.type === 'tool_use') {
      const { id, name, input } = block;
      const callId = id === '' ? `call_${answer}_${index}` : id;
      tell(new vscode.LanguageModelToolCallPart(callId, ownName(name), input as object));
    }
    if (block.type === 'thinking' && block.signature !== undefined && Thinking) {
      const { thinking, signature } = block;
      const whole: WholeThinking = { signature, _completeThinking: thinking, inferenceDeskModel: model };
      tell(new Thinking('', `${answer}_${index}`, { ...whole }));
    }
  };
  const tellHeld = (message: Message) => {
    const cut = cutCall(message);
    if (cut) throw cutOffWithin(ownName(cut.name));
    for (const part of held.splice(0)) {
      hasBegun = true;
      report(part);
    }
  };
  return {
    get hasBegun() {
      return hasBegun;
    },
    add(event) {
      if (event.type === 'text') tell(new vscode.LanguageModelTextPart(event.text));
      else if (event.type === 'thinking' && Thinking) tell(new Thinking(event.text, `${answer}_${event.index}`));
      else if (event.type === 'blockStop') tellBlock(event.block, event.index);
      else if (event.type === 'end') tellHeld(event.message);
    },
  };
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
