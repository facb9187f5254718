import * as l10n from '@vscode/l10n';
import type { MessageRequest } from '../../api/messages/messages.schema';
import { questionText } from '../attachment';
import { textOf } from '../requestMessages';
import { shownAnswer } from '../transcript';
import type { TranscriptAnswer, TranscriptTurn } from '../transcript';
import { markdownName } from '../../text/foreignText';
import { jsonSyntax, literal } from './literal';

/** Returns a conversation as Markdown: each question with the answer shown, or with all answers in an open comparison. */
export function toMarkdown(turns: readonly TranscriptTurn[]): string {
  const parts = [`# ${l10n.t('Conversation')}`];
  for (const turn of turns) {
    parts.push(`## ${l10n.t('You')}`, questionText(turn.question.trim(), turn.attachments));
    for (const answer of answersSeen(turn)) {
      const blocks = answer.blocks.flatMap(blockParts);
      parts.push(`## ${markdownName(answer.model)}`);
      for (const block of blocks.length > 0 ? blocks : [`*${l10n.t('No response')}*`]) parts.push(block);
    }
  }
  return `${parts.join('\n\n')}\n`;
}

function answersSeen(turn: TranscriptTurn): readonly TranscriptAnswer[] {
  const { comparison, answers } = turn;
  if (comparison?.isOpen) return comparison.tries.flatMap((tryId) => answers.filter(({ id }) => id === tryId));
  const answer = shownAnswer(turn);
  return answer ? [answer] : [];
}

function blockParts({ type, text, name, result }: TranscriptAnswer['blocks'][number]): readonly string[] {
  if (text.trim() === '') return [];
  if (type === 'text') return [text.trim()];
  const label =
    type === 'tool_use'
      ? l10n.t('Tool call: {0}', markdownName(name ?? ''))
      : type === 'thinking'
        ? l10n.t('Thought')
        : markdownName(type);
  const called = [`*${label}*`, fenced(text, type === 'thinking' ? '' : 'json')];
  if (!result) return called;
  return [...called, `*${result.isError ? l10n.t('Tool error') : l10n.t('Tool result')}*`, fenced(result.text, '')];
}

/** Puts text between fences longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = [...text.matchAll(/`+/g)].map(([run]) => run.length).reduce((most, one) => Math.max(most, one), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

export interface ConversationFacts {
  readonly id: string;
  readonly turns: readonly TranscriptTurn[];
  readonly request: MessageRequest | undefined;
}

/** Returns a conversation as complete JSON for programs: all answers, and the request as it would be sent. */
export function toConversationJson({ id, turns, request }: ConversationFacts): string {
  const questions = turns.map(({ id: turnId, question, attachments = [], askedAt, answers, comparison }) => ({
    id: turnId,
    askedAt: new Date(askedAt).toISOString(),
    question,
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(comparison ? { compared: comparison.tries, picked: comparison.isOpen ? undefined : comparison.picked } : {}),
    answers: answers.map((answer) => ({
      id: answer.id,
      model: answer.model,
      startedAt: new Date(answer.startedAt).toISOString(),
      text: textOf(answer),
      blocks: answer.blocks.map(({ type, text, name, whole, result }) => ({
        ...(whole ?? { type, text, name }),
        ...(result ? { result } : {}),
      })),
      end: answer.end && { ...answer.end, error: answer.end.error && { ...answer.end.error, actions: undefined } },
    })),
  }));
  return `${literal({ version: 1, id, turns: questions, request }, jsonSyntax)}\n`;
}
