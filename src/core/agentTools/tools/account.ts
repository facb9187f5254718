import '../../../schema/jitless';
import * as z from 'zod/mini';
import { chooseModel, jobsOf, knownJobs, modelsForJob } from '../../catalogue/jobs';
import { searchModels } from '../../catalogue/groupModels';
import type { CatalogueModel } from '../../catalogue/model';
import { moneyText, type Currency } from '../../../protocol/formats';
import { agentTool } from '../agentTool';
import { joinParts } from '../answerText';
import type { UnitPrices } from '../../api/models/listedPrices';

const jobs = ['chat', 'rerank', 'image', 'video', 'embedding', 'voice', 'transcription'] as const;

export const listModelsTool = agentTool({
  name: 'inferenceDesk_listModels',
  title: 'List Models',
  description: 'Lists models with IDs, purposes, and known prices. Use it before you specify a model.',
  input: z.strictObject({
    job: z.optional(z.enum(jobs).check(z.describe('Only models for this purpose.'))),
    search: z.optional(
      z.string().check(z.maxLength(200), z.describe('Only models whose IDs contain all of these words.')),
    ),
    limit: z.optional(
      z.int().check(z.minimum(1), z.maximum(300), z.describe('Maximum number of models. Defaults to 60.')),
    ),
  }),
  readOnly: true,
  costs: 'nothing',
  async run({ job, search = '', limit = 60 }, host, signal) {
    const known = await host.models(signal);
    const ofJob = job === undefined ? known.models : modelsForJob(job, known.models, known.pins);
    const found = searchModels(ofJob, search);
    if (found.length === 0) {
      const text =
        known.models.length === 0
          ? 'The account does not have any models.'
          : `No match among ${known.models.length} models. Use fewer conditions.`;
      return { text, data: { models: [], total: 0 } };
    }
    const shown = found.slice(0, limit);
    const usual = job === undefined ? undefined : chooseModel(job, known);
    const head = [
      `${found.length} models${shown.length < found.length ? `, the first ${shown.length} shown` : ''}.`,
      ...(usual === undefined ? [] : [`Default: ${usual}.`]),
    ];
    const models = shown.map((model) => ({
      id: model.id,
      jobs: jobsOf(model),
      ...lengthsOf(model),
      ...(model.prices && { prices: model.prices }),
    }));
    const rows = shown.map((model) => {
      const { id, contextLength, prices } = model;
      const price = prices ? priceText(prices, host.currency) : '';
      const uses = job === undefined ? ` (${usesText(model)})` : '';
      return `${id}${uses}${contextLength === undefined ? '' : `, context ${contextLength}`}${price === '' ? '' : `, price ${price}`}`;
    });
    return {
      text: joinParts(head.join(' '), [rows.join('\n')]),
      data: { models, total: found.length, ...(usual !== undefined && { usual }) },
    };
  },
});

function lengthsOf({ contextLength, maxOutputTokens }: CatalogueModel) {
  return {
    ...(contextLength !== undefined && { contextLength }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
}

function usesText(model: CatalogueModel): string {
  const uses = knownJobs(model);
  if (!uses) return 'for unknown purposes, possibly chat';
  return uses.length === 0 ? 'for other purposes' : uses.join(', ');
}

export const accountBalanceTool = agentTool({
  name: 'inferenceDesk_accountBalance',
  title: 'Account Balance',
  description:
    "Returns the account's balance and status. Use it before expensive work or after an out-of-credit error.",
  input: z.strictObject({}),
  readOnly: true,
  costs: 'nothing',
  needs: ['GET /user/info'],
  async run(_input, host, signal) {
    const { totalBalance, chargeBalance, balance, status, currency } = await host.balance(signal);
    // The user reads the text; the data is exact.
    const money = (amount: string) => moneyText(amount, currency, 'en');
    const parts = [
      ...(chargeBalance === undefined ? [] : [`paid credit: ${money(chargeBalance)}`]),
      ...(balance === undefined ? [] : [`bonus credit: ${money(balance)}`]),
    ];
    const total =
      totalBalance === undefined ? 'The service does not report the balance' : `Balance: ${money(totalBalance)}`;
    const text = `${total}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}${status === undefined ? '' : `. Account status: ${status}`}.`;
    const data = Object.entries({ totalBalance, chargeBalance, giftBalance: balance, currency, status });
    return { text, data: Object.fromEntries(data.filter(([, value]) => value !== undefined)) };
  },
});

const million = 1e6;

/** Returns the listed prices of a model for a user who is asked before it is used. */
function priceText(prices: UnitPrices, currency: Currency | undefined): string {
  const money = (amount: number) => moneyText(amount, currency, 'en');
  const { input, output, request, image, video, clip } = prices;
  const tokens = [
    ...(input === undefined ? [] : [`${money(input * million)} input`]),
    ...(output === undefined ? [] : [`${money(output * million)} output`]),
  ];
  return [
    ...(tokens.length > 0 ? [`${tokens.join(', ')} per million tokens`] : []),
    ...(request ? [`${money(request)} per request`] : []),
    ...(image === undefined ? [] : [`${money(image)} per image`]),
    ...(video === undefined ? [] : [`${money(video)} per video`]),
    ...(clip === undefined ? [] : [`${money(clip)} per clip`]),
  ].join(', ');
}
