import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CheckId, Findings, ModelToCheck } from '../../core/modelCheck/checkRun';
import { checkCost, checkIds, type CheckOutcome } from '../../core/modelCheck/modelCheck';
import { serverProgram } from '../../core/modelCheck/serverOptions';
import { numberText } from '../../platform/displayText';
import { dateFormat, listText } from '../../protocol/formats';
import type { CostText } from '../../protocol/wire';
import { priceLine } from '../../services/usage/costMessages';
import type { ExpectedRequests } from '../../services/usage/prices';
import type { CheckedRow, ModelCheckView } from '../../protocol/modelCheck';

type Kind = ModelToCheck['kind'];

/** The rows in their groups. */
const groups: readonly { readonly label: () => string; readonly ids: readonly CheckId[] }[] = [
  { label: () => l10n.t('Conversation'), ids: ['answers', 'streams', 'ends', 'continues'] },
  { label: () => l10n.t('Reasoning'), ids: ['reasoning'] },
  { label: () => l10n.t('Tools'), ids: ['toolCall', 'toolResult'] },
  { label: () => l10n.t('Input and output'), ids: ['jsonMode', 'images', 'logProbabilities'] },
  { label: () => l10n.t('Limits'), ids: ['context', 'responseLength'] },
  { label: () => l10n.t('Ranking'), ids: ['ranks', 'scores'] },
];

const labels: Readonly<Record<CheckId, () => string>> = {
  answers: () => l10n.t('Responds'),
  streams: () => l10n.t('Streams'),
  ends: () => l10n.t('Ends cleanly'),
  continues: () => l10n.t('Continues a partial response'),
  reasoning: () => l10n.t('Keeps reasoning separate'),
  toolCall: () => l10n.t('Structured tool call'),
  toolResult: () => l10n.t('Accepts a tool result'),
  jsonMode: () => l10n.t('JSON mode'),
  images: () => l10n.t('Images'),
  logProbabilities: () => l10n.t('Log probabilities'),
  context: () => l10n.t('Context'),
  responseLength: () => l10n.t('Response length'),
  ranks: () => l10n.t('Ranks documents'),
  scores: () => l10n.t('Returns scores'),
};

const resultTexts: Readonly<Record<CheckedRow['result'], () => string>> = {
  works: () => l10n.t('Works'),
  limited: () => l10n.t('Limited'),
  fails: () => l10n.t("Doesn't work"),
  notOffered: () => l10n.t('Unsupported'),
  notChecked: () => l10n.t('Unchecked'),
};

export function rowGroups(kind: Kind, findings: Findings): ModelCheckView['groups'] {
  const shown = new Set(checkIds(kind));
  return groups
    .map(({ label, ids }) => ({
      label: label(),
      rows: ids.filter((id) => shown.has(id)).map((id) => row(id, findings)),
    }))
    .filter(({ rows }) => rows.length > 0);
}

function row(id: CheckId, findings: Findings): CheckedRow {
  const { result = 'notChecked', evidence = '', exchangeId, option } = findings[id] ?? {};
  return {
    id,
    label: labels[id](),
    result,
    resultText: resultTexts[result](),
    evidence,
    hasRequest: exchangeId !== undefined,
    ...(option !== undefined && { option }),
  };
}

/** The purpose of a server option, within a sentence. */
const purposes: Readonly<Partial<Record<CheckId, () => string>>> = {
  reasoning: () => l10n.t('reasoning'),
  toolCall: () => l10n.t('tool calls'),
  images: () => l10n.t('images'),
  context: () => l10n.t('context'),
};

/** Returns all options that a check suggests for a server; `undefined` if there are none. */
export function optionsOf(findings: Findings, service: string | undefined): ModelCheckView['options'] {
  // A feature that isn't offered might require more than an option, such as another file.
  const needed = Object.entries(findings).filter(
    ([, { option, result }]) => option !== undefined && result !== 'notOffered',
  );
  const program = serverProgram(service);
  if (needed.length === 0 || program === undefined) return undefined;
  const names = needed.map(([id]) => purposes[id as CheckId]?.());
  return {
    title: l10n.t('Set server options for {0}.', listText(names, vscode.env.language, 'long')),
    detail: l10n.t('Restart {0} with these options:', program),
    line: [...new Set(needed.map(([, { option }]) => option))].join(' '),
  };
}

/** Returns the cost of a check as text before it starts. `price`: missing until it is known whether there is one. */
export function costFacts(kind: Kind, isFree: boolean, price?: CostText): readonly string[] {
  const { requests, tokens } = checkCost[kind];
  const { language } = vscode.env;
  const size =
    requests === 1
      ? l10n.t('1 request with about {0} tokens', numberText(tokens, language))
      : l10n.t(
          'Up to {0} requests with about {1} tokens',
          numberText(requests, language),
          numberText(tokens, language),
        );
  if (isFree) return [size, l10n.t('Free on your own server')];
  return [size, ...(price ? [priceLine(price).text] : [])];
}

/** Returns the requests of a check: at least all of its tokens are input, at most as many are output too. */
export function checkRequests(kind: Kind, model: string): readonly ExpectedRequests[] {
  const { requests, tokens } = checkCost[kind];
  return [{ model, requests, inputTokens: tokens, outputLimit: kind === 'chat' ? tokens : 0 }];
}

/** Returns when a check ended, what it found, and what it used. */
export function outcomeFacts(outcome: CheckOutcome, at: number, isFree: boolean): readonly string[] {
  const { findings, requests, tokens } = outcome;
  const { language } = vscode.env;
  const all = Object.values(findings);
  const count = (result: CheckedRow['result']) => all.filter((finding) => finding.result === result).length;
  const number = (value: number) => numberText(value, language);
  const used = [
    requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', number(requests)),
    tokens === 1 ? l10n.t('1 token') : l10n.t('{0} tokens', number(tokens)),
    ...(isFree ? [l10n.t('free')] : []),
  ];
  return [
    l10n.t('Checked at {0}', dateFormat(language, { timeStyle: 'short' }).format(at)),
    listText(
      (['works', 'limited', 'fails'] as const).flatMap((result) =>
        count(result) === 0 ? [] : [`${resultTexts[result]()}: ${number(count(result))}`],
      ),
      language,
    ),
    listText(used, language),
  ];
}

/** Returns the results as Markdown for a bug report. `hidden`: texts that must not be in it, such as the host. */
export function reportText(view: ModelCheckView, service: string, version: string, hidden: readonly string[]): string {
  const cell = (text: string) => text.replaceAll('|', String.raw`\|`);
  const head = [l10n.t('Capability'), l10n.t('Result'), l10n.t('Evidence'), l10n.t('Server option to set')];
  const lines = [
    `${view.model} · ${service}`,
    `Inference Desk ${version} · VS Code ${vscode.version}`,
    '',
    `| ${head.join(' | ')} |`,
    `| ${head.map(() => '---').join(' | ')} |`,
    ...view.groups.flatMap(({ rows }) =>
      rows.map(
        ({ label, resultText, evidence, option = '' }) =>
          `| ${[label, resultText, evidence, option].map(cell).join(' | ')} |`,
      ),
    ),
    '',
    view.facts.join(' · '),
  ];
  const text = `${lines.join('\n')}\n`;
  return hidden.filter((one) => one !== '').reduce((shown, one) => shown.replaceAll(one, '…'), text);
}
