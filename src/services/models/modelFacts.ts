import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { jobsOf } from '../../core/catalogue/jobs';
import { nameOf } from '../../core/catalogue/model';
import type { CatalogueModel } from '../../core/catalogue/model';
import { numberText } from '../../platform/displayText';
import { factsTooltip } from '../../platform/factsTooltip';
import { listText } from '../../protocol/formats';

/** Returns a tooltip with the model list's data about a model, or an empty one if the list has never been loaded. */
export function modelFacts(id: string, models: readonly CatalogueModel[]): readonly vscode.MarkdownString[] {
  if (models.length === 0) return [];
  const known = models.find((model) => model.id === id);
  if (!known) return [factsTooltip(id, [], [l10n.t("The service doesn't list this model.")])];
  const { vendor } = nameOf(known.id, known.ownedBy);
  const count = (value: number | undefined) =>
    value === undefined ? undefined : l10n.t('{0} tokens', numberText(value, vscode.env.language));
  return [
    factsTooltip(id, [
      [l10n.t('Vendor'), vendor],
      [
        l10n.t('Purpose'),
        listText(known.subTypes.length > 0 ? known.subTypes : jobsOf(known), vscode.env.language) || undefined,
      ],
      [l10n.t('Context'), count(known.contextLength)],
      [l10n.t('Maximum response length'), count(known.maxOutputTokens)],
    ]),
  ];
}
