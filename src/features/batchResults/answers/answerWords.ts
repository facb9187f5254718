import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { ResultDetails, ResultsRow } from '../../../core/batch/results/resultsView';
import { numberText } from '../../../platform/displayText';
import { commandLink, joined, markdown } from '../../../platform/notify';
import { failureText } from '../page/detailsWords';

const longestHint = 90;
const longestHover = 4000;

/** Formats a line's answer as an inlay hint. */
export function hintText({ state, isFailed, answer, isChanged }: ResultsRow): string {
  if (state === 'missing') return l10n.t('no answer');
  const told = answer || (isFailed ? l10n.t('no reason told') : l10n.t('an empty answer'));
  const text = isChanged ? l10n.t('changed since · {0}', told) : told;
  return `${isFailed ? '✗' : '→'} ${shortenedEnd(text, longestHint)}`;
}

function shortenedEnd(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

export interface HoverFacts {
  readonly folder: string;
  readonly customId: string;
  /** The file has changed since it was sent, and it is not known which of its lines did. */
  readonly isChanged: boolean;
}

/**
 * Formats the whole answer, up to the length anyone reads in a hover. The model's text is escaped, never rendered as Markdown; only
 * our own link below it is active.
 */
export function hoverOf(details: ResultDetails, facts: HoverFacts): readonly vscode.MarkdownString[] {
  const title = details.isFailed
    ? l10n.t('Error')
    : details.state === 'missing'
      ? l10n.t('No answer in either file')
      : l10n.t('Answer');
  const text = details.failure
    ? failureText(details.failure)
    : details.choices
        .flatMap(({ text, refusal, calls }) => [
          text.text,
          refusal.text,
          ...calls.map((call) => `${call.name}(${call.arguments.text})`),
        ])
        .filter(Boolean)
        .join('\n\n');
  const cut = text.length - longestHover;
  const body = text.slice(0, longestHover);
  const { folder, customId } = facts;
  return [
    joined([
      markdown`**${title}**`,
      ...(body === '' ? [] : [markdown`${body}`]),
      ...notes(details, facts, cut).map((note) => markdown`*${note}*`),
    ]),
    commandLink(l10n.t('Open in Results'), 'inferenceDesk.batches.openResults', folder, customId),
  ];
}

function notes(
  { tokensIn, tokensOut, choices, since }: ResultDetails,
  { isChanged }: HoverFacts,
  cut: number,
): readonly string[] {
  const number = (value: number) => numberText(value, vscode.env.language);
  const finish = choices.find((choice) => choice.finish !== undefined && choice.finish !== 'stop')?.finish;
  const tokens =
    tokensIn === undefined && tokensOut === undefined
      ? undefined
      : l10n.t('{0} tokens in, {1} out', number(tokensIn ?? 0), number(tokensOut ?? 0));
  return [
    cut > 0 ? l10n.t('… {0} more characters', number(cut)) : undefined,
    [tokens, finish === undefined ? undefined : l10n.t('ended by {0}', finish)].filter(Boolean).join(' · '),
    since === 'changed' ? l10n.t('The line was changed since it was sent: this answers what it was then.') : undefined,
    isChanged ? l10n.t('The file was changed since it was sent.') : undefined,
  ].filter((note): note is string => Boolean(note));
}
