import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { confidenceOf, confidences, isUnsure, probability } from '../../core/completion/confidence';
import type { Confidence } from '../../core/completion/confidence';
import type { TokenSpan } from '../../core/completion/tokenSpans';
import { joined, markdown } from '../../platform/notify';
import { numberFormat } from '../../protocol/formats';
import { labelled } from '../../protocol/sentences';
import { numberText } from '../../platform/displayText';

/** Each step as a word. */
export function confidenceWords(confidence: Confidence): string {
  return {
    sure: l10n.t('sure'),
    likely: l10n.t('fairly sure'),
    unsure: l10n.t('unsure'),
    doubtful: l10n.t('improbable'),
  }[confidence];
}

/** What is said of a token under the pointer. The texts are a model's: nothing in them is read as Markdown. */
export function tokenHover({ text, logprob, alternatives }: TokenSpan): vscode.MarkdownString {
  const confidence = confidenceOf(logprob);
  const known =
    logprob === null || confidence === undefined
      ? l10n.t('No probability was told for this token.')
      : `${percentText(logprob)} · ${confidenceWords(confidence)} · ${l10n.t('logprob {0}', logprobText(logprob))}`;
  const others = alternatives.filter((one) => one.text !== text);
  const rows = others.map((one) => markdown`| ${cell(one.text)} | ${percentText(one.logprob)} |`);
  const head = markdown`| ${l10n.t('In its place')} | |\n|:--|--:|`;
  const table = rows.length === 0 ? [] : [joined([head, ...rows], '\n')];
  return joined([markdown`**${cell(text)}**  \n${known}`, ...table, markdown`${legend()}`]);
}

/** What the colours and lines mean. */
export function legend(): string {
  return l10n.t('No mark: 90% and more. Dotted: from 50%. Dashed: from 20%. Wavy: less.');
}

/** How many tokens a person may want to look at, among how many. */
export function tokensSummary(tokens: readonly TokenSpan[]): string {
  const unsure = tokens.filter(({ logprob }) => isUnsure(logprob)).length;
  return l10n.t(
    '{0} unsure of {1} tokens',
    numberText(unsure, vscode.env.language),
    numberText(tokens.length, vscode.env.language),
  );
}

/** One line per step, with how many tokens it has. */
export function tokensTooltip(tokens: readonly TokenSpan[]): string {
  const lines = confidences.map((step) => {
    const count = tokens.filter(({ logprob }) => confidenceOf(logprob) === step).length;
    return labelled(confidenceWords(step), numberText(count, vscode.env.language));
  });
  return [...lines, legend(), l10n.t('Click to go to the next unsure one.')].join('\n');
}

function logprobText(logprob: number): string {
  const digits = { minimumFractionDigits: 3, maximumFractionDigits: 3 };
  return numberFormat(vscode.env.language, digits).format(logprob);
}

function percentText(logprob: number): string {
  const format = numberFormat(vscode.env.language, { style: 'percent', maximumFractionDigits: 1 });
  return format.format(probability(logprob));
}

/** Blanks and line ends are seen as signs. */
function cell(text: string): string {
  const visible = text.replaceAll(' ', '␣').replaceAll('\r', '␍').replaceAll('\n', '⏎').replaceAll('\t', '⇥');
  return visible === '' ? '∅' : visible;
}
