import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { modelsForJob } from '../../core/catalogue/jobs';
import { priceLine } from '../../services/usage/costMessages';
import type { ExpectedRequests, PriceBook } from '../../services/usage/prices';
import { sentences } from '../../protocol/sentences';
import { rulesOf } from '../../core/profiles/vendorRules';
import { isOfModel, sendableAlone } from '../../core/batch/problem';
import type { ProblemCode } from '../../core/batch/problem';
import type { Usage } from '../../core/usage/usage';
import { runCommand } from '../../platform/contributions';
import { numberText } from '../../platform/displayText';
import { askPick } from '../../platform/quickInput';
import type { PickItem } from '../../platform/quickInput';
import type { Services } from '../../services/services';
import type { LocalPlan } from './localPlan';
import { listText } from '../../protocol/formats';
import { showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** The most models to name in the confirmation. */
const mostNamed = 3;

const harmless: ReadonlySet<string> = new Set<ProblemCode>([
  'line.blank',
  'file.bom',
  'file.lone-cr',
  'file.too-many-requests',
  'file.too-large',
]);

/** The user's consent, with the model that overrides those of the lines. */
export interface Confirmed {
  readonly model: string | undefined;
}

/** Shows what would be run and what it uses. Returns `undefined` if the user declines. */
export async function confirmRun(plan: LocalPlan, services: Services, today: Usage): Promise<Confirmed | undefined> {
  const prices = await (await services.usage()).readyPrices();
  const error = errorsOf(plan.check);
  const isModelStated = plan.check.models.length > 0;
  const run = error > 0 ? l10n.t('Run Without Invalid Lines') : l10n.t('Run');
  const choose = isModelStated ? l10n.t('Use Another Model…') : l10n.t('Choose Model…');
  const problems = l10n.t('Show Problems');
  const of = plan.retry?.of;
  let model = of?.model;
  for (;;) {
    const buttons = [...(isModelStated || model !== undefined ? [run] : []), choose, ...(error > 0 ? [problems] : [])];
    const message = runQuestion(plan);
    const detail = detailWords(plan, services, { model, today, prices });
    const chosen = await showMessage('information', message, { modal: true, detail }, ...buttons);
    if (chosen === run) return { model };
    if (chosen === problems) await runCommand('inferenceDesk.batchFile.check', vscode.Uri.file(plan.file));
    if (chosen !== choose) return undefined;
    model = (await askModel(plan, services)) ?? model;
  }
}

function runQuestion({ file, profile, retry }: LocalPlan): string {
  const isHalf = rulesOf(profile.baseUrl).batch.isHalfPrice;
  if (retry?.of) {
    const name = foreign(retry.of.name);
    return isHalf ? l10n.t('Retry {0} now at full price?', name) : l10n.t('Retry {0} now?', name);
  }
  const name = foreign(path.basename(file));
  return isHalf ? l10n.t('Run {0} now at full price?', name) : l10n.t('Run {0} now?', name);
}

function detailWords(
  plan: LocalPlan,
  services: Services,
  { model, today, prices }: { readonly model: string | undefined; readonly today: Usage; readonly prices: PriceBook },
): string {
  const { check, sample, profile } = plan;
  const { settings } = services;
  const atOnce = settings.get('batch.localRequests');
  const { soft, hard } = settings.get('chat.dailyTokenBudget');
  const budget = hard || soft;
  const used = today.inputTokens + today.outputTokens;
  const lines = [
    requestWords(check.requests, atOnce),
    model === undefined ? modelWords(check) : l10n.t('Model: {0}, for all requests', foreign(model)),
    ...(sample.tokens === undefined
      ? []
      : [
          l10n.t(
            'Input: about {0} tokens, plus the responses',
            number(prices.inputTokens(requestsOf(plan, model), profile.id)),
          ),
        ]),
    priceLine(prices.quote(requestsOf(plan, model), { purpose: 'batchLines', profileId: profile.id })).text,
    l10n.t('Account: {0}', foreign(profile.name)),
    ...(budget > 0 ? [l10n.t("Today's token usage: {0} of {1}", number(used), number(budget))] : []),
    '',
    priceWords(profile.baseUrl),
    ...(errorsOf(check) > 0 ? ['', faultyWords(errorsOf(check))] : []),
  ];
  return lines.join('\n');
}

/** The requests of the file, with the model that replaces their own. */
function requestsOf({ sample }: LocalPlan, model: string | undefined): readonly ExpectedRequests[] {
  return sample.shares.map((share) => ({ ...share, model: model ?? share.model }));
}

function priceWords(baseUrl: string): string {
  const sent = l10n.t('Requests count toward the rate limits.');
  const isHalf = rulesOf(baseUrl).batch.isHalfPrice;
  return isHalf ? sentences(sent, l10n.t('A batch costs half as much.')) : sent;
}

function requestWords(requests: number, atOnce: number): string {
  return requests === 1
    ? l10n.t('1 request')
    : l10n.t('{0} requests, up to {1} concurrently', number(requests), number(atOnce));
}

function modelWords({ models, modelCount }: LocalPlan['check']): string {
  if (modelCount === 0) return l10n.t('Model: not specified');
  const named = models.slice(0, mostNamed).map(({ id }) => id);
  const others = modelCount - named.length;
  if (others > 0) return l10n.t('Models: {0} and {1} more', listText(named, vscode.env.language), number(others));
  return modelCount === 1
    ? l10n.t('Model: {0}', named.join())
    : l10n.t('Models: {0}', listText(named, vscode.env.language));
}

/** Counts the errors that make lines faulty. Errors about the whole file or about models do not prevent lines from being sent. */
function errorsOf({ kinds }: LocalPlan['check']): number {
  const isMet = (code: string) => harmless.has(code) || sendableAlone.has(code) || isOfModel(code);
  const errors = kinds.filter(({ first }) => first.severity === 'error' && !isMet(first.code));
  return errors.reduce((sum, { count }) => sum + count, 0);
}

function faultyWords(errors: number): string {
  return errors === 1
    ? l10n.t("1 line with an error won't be sent.")
    : l10n.t("Lines with errors won't be sent ({0} errors).", number(errors));
}

async function askModel({ check }: LocalPlan, { models }: Services): Promise<string | undefined> {
  const requested = check.models.map(({ id }) => id);
  await models.listed();
  const { models: all, pins } = models.state;
  const listed = modelsForJob('chat', all, pins)
    .map(({ id }) => id)
    .filter((id) => !requested.includes(id));
  const items: readonly PickItem<string>[] = [
    ...requested.map((id) => ({ label: id, value: id, description: l10n.t('in the file') })),
    ...listed.map((id) => ({ label: id, value: id })),
  ];
  const title = l10n.t('Model for All Requests');
  const placeholder = l10n.t('Replaces the model in every line');
  const result = await askPick({ title, placeholder, items, canFilter: true, canGoBack: false });
  return result.kind === 'value' ? result.value : undefined;
}

function number(value: number): string {
  return numberText(value, vscode.env.language);
}
