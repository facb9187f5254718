import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { groupKeysOf } from '../../core/catalogue/groupModels';
import { fitsJob } from '../../core/catalogue/jobs';
import { modelJobs } from '../../core/catalogue/model';
import type { CatalogueModel } from '../../core/catalogue/model';
import type { ModelCatalogue } from '../../services/models/modelCatalogue';
import { groupLabel, jobLabel } from './modelItem';
import type { ModelsView } from './models';
import { listText } from '../../protocol/formats';
import { createInputBox, showQuickPick, showQuickPicks } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** Filters the tree while the user types. Escape restores the previous filter. */
export function askForFilter(view: ModelsView): Promise<void> {
  const before = view.filter;
  const input = createInputBox();
  input.title = l10n.t('Filter Models');
  input.placeholder = l10n.t('Search by ID, vendor, or type');
  input.value = before;
  let accepted = false;
  return new Promise((resolve) => {
    input.onDidChangeValue((value) => view.setFilter(value));
    input.onDidAccept(() => {
      accepted = true;
      input.hide();
    });
    input.onDidHide(() => {
      if (!accepted) view.setFilter(before);
      input.dispose();
      resolve();
    });
    input.show();
  });
}

/** Returns the id of the model the user chose; `undefined` if none. */
export async function searchForModel(models: ModelCatalogue): Promise<string | undefined> {
  const { models: offered, pins } = await models.listed();
  const chosen = await showQuickPick(
    offered.map((model) => ({
      id: model.id,
      label: model.id,
      description: kindsOf(model),
      ...(pins.includes(model.id) ? { iconPath: new vscode.ThemeIcon('pinned') } : {}),
    })),
    {
      title: l10n.t('Search Models'),
      placeHolder: l10n.t('Search by ID, vendor, or type'),
      matchOnDescription: true,
    },
  );
  return chosen?.id;
}

/** Asks which jobs the model should be the default for, and saves the answer. */
export async function askForDefaults(models: ModelCatalogue, modelId: string): Promise<void> {
  const { models: offered, defaults } = await models.listed();
  const model = offered.find(({ id }) => id === modelId);
  const jobs = modelJobs.filter((job) => (model && fitsJob(model, job)) || defaults[job] === modelId);
  const chosen = await showQuickPicks(
    jobs.map((job) => ({
      job,
      label: jobLabel(job),
      description: describeCurrent(defaults[job], modelId),
      picked: defaults[job] === modelId,
    })),
    { title: l10n.t('Select what {0} is the default for', foreign(modelId)) },
  );
  if (!chosen) return;
  const chosenJobs = new Set(chosen.map(({ job }) => job));
  for (const job of jobs) {
    if (chosenJobs.has(job) !== (defaults[job] === modelId))
      await models.setDefault(job, chosenJobs.has(job) ? modelId : undefined);
  }
}

function describeCurrent(current: string | undefined, modelId: string): string {
  return current === undefined || current === modelId ? '' : l10n.t('currently {0}', current);
}

function kindsOf(model: CatalogueModel): string {
  return listText(groupKeysOf(model).map(groupLabel), vscode.env.language);
}
