import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { confidenceOf, confidences, isUnsure, probability } from '../../core/completion/confidence';
import type { Confidence } from '../../core/completion/confidence';
import type { TokenSpan } from '../../core/completion/tokenSpans';
import { joined, markdown } from '../../platform/notify';
import { numberFormat } from '../../protocol/formats';
import { labelled } from '../../protocol/sentences';
import { numberText } from '../../platform/displayText';

/** Names each confidence step. */
export function confidenceWords(confidence: Confidence): string {
  return {
    sure: l10n.t('sure'),
    likely: l10n.t('fairly sure'),
    unsure: l10n.t('unsure'),
    doubtful: l10n.t('improbable'),
  }[confidence];
}

/** Returns the hover of a token. Its texts come from a model, so they are escaped and not read as Markdown. */
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

/** Explains the colors and underlines. */
export function legend(): string {
  return l10n.t('No mark: 90% and more. Dotted: from 50%. Dashed: from 20%. Wavy: less.');
}

/** Counts the unsure tokens among all. */
export function tokensSummary(tokens: readonly TokenSpan[]): string {
  const unsure = tokens.filter(({ logprob }) => isUnsure(logprob)).length;
  return l10n.t(
    '{0} unsure of {1} tokens',
    numberText(unsure, vscode.env.language),
    numberText(tokens.length, vscode.env.language),
  );
}

/** Lists the number of tokens for each step, one per line. */
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

/** Makes whitespace and line ends visible. */
function cell(text: string): string {
  const visible = text.replaceAll(' ', '␣').replaceAll('\r', '␍').replaceAll('\n', '⏎').replaceAll('\t', '⇥');
  return visible === '' ? '∅' : visible;
}
